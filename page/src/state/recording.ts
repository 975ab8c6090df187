// Where the recording of the lecture is.

import { shelf } from "./signals";

/** The recording at a time stamp of it; empty where there is none. */
export function recordingAt(stamp: string): string {
  const seconds = stamp.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  return (shelf.value?.chapters[0]?.link ?? "").replace(/\d+s$/, `${seconds}s`);
}
