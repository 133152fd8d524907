const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true;

export interface DropTarget {
  readonly isOver: boolean;
  readonly enter: (event: DragEvent) => void;
  readonly over: (event: DragEvent) => void;
  readonly leave: (event: DragEvent) => void;
  readonly drop: (event: DragEvent) => void;
}

/** Takes files that are dropped anywhere in the window: a page would go to them otherwise. */
export function dropTarget(take: (files: readonly File[]) => void): DropTarget {
  let isOver = $state(false);
  return {
    get isOver() {
      return isOver;
    },
    enter: (event) => {
      if (hasFiles(event)) isOver = true;
    },
    over: (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver = true;
    },
    leave: (event) => {
      // Only when it leaves the window there is nothing that it goes to.
      if (event.relatedTarget === null) isOver = false;
    },
    drop: (event) => {
      isOver = false;
      if (!hasFiles(event)) return;
      // Whoever takes a picture for something else has done so already.
      if (event.defaultPrevented) return;
      event.preventDefault();
      take([...(event.dataTransfer?.files ?? [])]);
    },
  };
}
