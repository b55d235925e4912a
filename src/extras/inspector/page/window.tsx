/** Which rows of a long list can be seen: the others are empty space. */

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows that are rendered above and below those that can be seen. */
const spare = 8;

export interface Shown {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly first: number;
  /** The row after the last one. */
  readonly last: number;
  onScroll(): void;
  /** Scrolls until a row can be seen. */
  reveal(row: number): void;
}

/** @param isNewestFirst - Rows are added above, and what is looked at stays in its place. */
export function useWindow(count: number, rowHeight: number, isNewestFirst = false): Shown {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 800 });
  const before = useRef(count);
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = ref.current ?? {};
    setPlace((old) => (old.top === top && old.height === height ? old : { top, height }));
  };
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const added = count - before.current;
    before.current = count;
    const box = ref.current;
    if (isNewestFirst && added > 0 && box !== null && box.scrollTop > 0) box.scrollTop += added * rowHeight;
    look();
  }, [count]);
  const first = Math.max(0, Math.floor(place.top / rowHeight) - spare);
  return {
    ref,
    first,
    last: Math.min(count, first + Math.ceil(place.height / rowHeight) + 2 * spare),
    onScroll: look,
    reveal(row) {
      const box = ref.current;
      if (box === null) return;
      const top = row * rowHeight;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + rowHeight > box.scrollTop + box.clientHeight)
        box.scrollTop = top + rowHeight - box.clientHeight;
    },
  };
}

/** The rendered rows at their place. */
export function Rows(props: { shown: Shown; count: number; rowHeight: number; children: ComponentChildren }) {
  const { shown, count, rowHeight, children } = props;
  return (
    <div role="presentation" class="space" style={{ height: `${count * rowHeight}px` }}>
      <div role="presentation" class="rows" style={{ transform: `translateY(${shown.first * rowHeight}px)` }}>
        {children}
      </div>
    </div>
  );
}
