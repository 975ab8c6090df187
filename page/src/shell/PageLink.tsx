// A link that is followed within the page; what opens a new tab is left to the browser.

import type { HTMLAttributes } from "preact";

interface PageLinkProps extends Omit<HTMLAttributes<HTMLAnchorElement>, "href" | "onClick" | "role"> {
  /** The address of what is shown, for a new tab. */
  to: string;
  /** Show it here. */
  go: () => void;
}

export function PageLink({ to, go, ...rest }: PageLinkProps) {
  const clicked = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go();
  };
  return <a {...rest} href={to} onClick={clicked} />;
}
