"""What is wrong with the words of pictures, as the browser sees them."""

# Of all large pictures: words that leave them, lie over others, or under a line; letters are lower than their lines.
WRONG = """() => {
    const seen = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const pieces = path => {
        const points = [...(path.getAttribute('d') ?? '').matchAll(/([ML])(-?[\\d.]+),(-?[\\d.]+)/g)];
        return points.slice(1).flatMap(([, kind, x, y], before) =>
            kind === 'L' ? [[...points[before].slice(2), x, y].map(Number)] : []);
    };
    const crosses = ([x, y, toX, toY], { left, right, top, bottom }) => {
        let [from, to] = [0, 1];
        const along = [[x - toX, x - left], [toX - x, right - x]], up = [[y - toY, y - top], [toY - y, bottom - y]];
        for (const [way, room] of [...along, ...up]) {
            if (!way && room < 0) return false;
            if (way < 0) from = Math.max(from, room / way);
            if (way > 0) to = Math.min(to, room / way);
        }
        return from <= to;
    };
    return [...document.querySelectorAll('#canvas svg')].filter(one => !one.closest('button, .along')).flatMap(svg => {
        const around = svg.getBoundingClientRect();
        const words = [...svg.querySelectorAll('text')]
            .filter(one => one.textContent.trim() && !one.closest('g[clip-path]') && seen(one))
            .map(one => {
                const { left, right, top, bottom, height } = one.getBoundingClientRect();
                return { text: one.textContent, left, right, top: top + 0.2 * height, bottom: bottom - 0.06 * height };
            });
        const found = words.filter(({ left, right, top, bottom }) => left < around.left - 1 || right > around.right + 1
            || top < around.top - 1 || bottom > around.bottom + 1).map(({ text }) => `"${text}" leaves the picture`);
        found.push(...words.filter(({ text }) => /\\de[-+]?\\d/.test(text)).map(({ text }) => `"${text}" is raw`));
        words.forEach((one, place) => {
            for (const other of words.slice(0, place))
                if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
                    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1)
                    found.push(`"${one.text}" over "${other.text}"`);
        });
        const frame = svg.querySelector('clipPath rect');
        if (!frame) return words.length ? found : ['there are no words'];
        const [x, y, wide, high] = ['x', 'y', 'width', 'height'].map(name => Number(frame.getAttribute(name)));
        // What was before is fainter than words that stand on a ground of their own.
        const drawn = [...svg.querySelectorAll('path[fill=none]')].filter(one => !one.closest('.ghost'));
        for (const path of drawn.filter(one => !one.closest('[data-passing]') && seen(one))) {
            const [isInside, all] = [path.closest('[clip-path]'), pieces(path)];
            for (const { text, ...word } of words) {
                const [left, right] = [word.left - around.left + 2, word.right - around.left - 2];
                const [top, bottom] = [word.top - around.top + 2, word.bottom - around.top - 2];
                const box = !isInside ? { left, right, top, bottom } : { left: Math.max(left, x),
                    right: Math.min(right, x + wide), top: Math.max(top, y), bottom: Math.min(bottom, y + high) };
                if (box.left < box.right && box.top < box.bottom && all.some(piece => crosses(piece, box)))
                    found.push(`a line through "${text}"`);
            }
        }
        return words.length ? found : ['there are no words'];
    });
}"""

# The same once all is at rest: a picture that has just come may be laid once more by the next frames.
STILL_WRONG = f"""async () => {{
    const wrong = {WRONG};
    const latest = performance.now() + 1000;
    let said = wrong();
    while (said.length && performance.now() < latest) {{
        await new Promise(requestAnimationFrame);
        said = wrong();
    }}
    return said;
}}"""

# Of KaTeX's fonts the page has not the one of the tallest brackets (vite.config.ts).
TALLEST = ".katex .delimsizing.size4, .katex .delim-size4"
