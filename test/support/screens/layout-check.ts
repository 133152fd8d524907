/**
 * Runs in a page as it is written here, so that it names nothing outside itself. Since the document clips what sticks
 * out of it, its own measures prove little: each element is looked at.
 */
export class LayoutCheck {
  readonly #controls = [
    ...['a[href]', 'button', 'input:not([type="hidden"])', 'select', 'summary', 'textarea'],
    ...['button', 'checkbox', 'combobox', 'link', 'menuitem', 'menuitemcheckbox', 'option'].map(
      (role) => `[role="${role}"]`,
    ),
    ...['menuitemradio', 'radio', 'slider', 'switch', 'tab', 'textbox'].map(
      (role) => `[role="${role}"]`,
    ),
  ].join(',');
  /** What stands above the page for a while and covers it on purpose; so do the tools of a message pointed at. */
  readonly #layers = [
    ...['dialog[open]', '[popover]', '[role="menu"]', '[role="listbox"]', '[role="dialog"]'],
    ...['aside.is-overlay', '[data-message-id] .toolbar'],
  ].join(',');
  /** What may scroll sideways: it has no other way to be shown. */
  readonly #sideways = 'pre, table, textarea, input, .katex-display, [data-scrolls-sideways]';
  /** Half a pixel is how things are rounded. */
  readonly #slack = 1.5;
  /** How far from its list's edge floats what belongs to it. */
  readonly #edge = 24;
  /** Fewer letters of a name say nothing. */
  readonly #leastText = 24;
  readonly #found = new Set<string>();
  readonly #modal = [...document.querySelectorAll('dialog:modal')].at(-1);

  faults(): readonly string[] {
    const { scrollingElement: root, documentElement, body } = document;
    for (const each of new Set([root, documentElement, body])) {
      if (each === null) continue;
      if (each.scrollHeight > each.clientHeight) this.#note('the document scrolls', each);
      if (each.scrollWidth > each.clientWidth) this.#note('the document scrolls sideways', each);
      if (each.scrollTop !== 0 || each.scrollLeft !== 0) this.#note('the document is moved', each);
    }
    for (const element of body.querySelectorAll('*')) {
      if (!this.#isShown(element)) continue;
      this.#checkPlace(element);
      this.#checkSideways(element);
      this.#checkText(element);
    }
    for (const control of body.querySelectorAll(this.#controls)) {
      if (this.#isShown(control) && this.#canBeUsed(control)) this.#checkControl(control);
    }
    return [...this.#found];
  }

  #note(fault: string, element: Element, other?: Element): void {
    const by = other === undefined ? '' : ` by ${this.#nameOf(other)}`;
    this.#found.add(`${fault}${by}: ${this.#nameOf(element)}`);
  }

  #nameOf(element: Element): string {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const place = [left, top, right, bottom].map(Math.round).join(' ');
    const tag = (element.cloneNode() as Element).outerHTML.replace(/<\/\w+>$/, '').slice(0, 120);
    return `${tag} "${element.textContent.trim().slice(0, 40)}" at ${place}`;
  }

  #isShown(element: Element): boolean {
    if (this.#modal !== undefined && !this.#modal.contains(element)) return false;
    const { width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2) return false;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    return element.closest('.visually-hidden, svg *, [inert]') === null;
  }

  #canBeUsed(control: Element): boolean {
    if (control.matches(':disabled, [aria-disabled="true"]')) return false;
    const { width, height } = control.getBoundingClientRect();
    return width > 2 && height > 2;
  }

  /** What can cut the element off, from the inside out: nobody above whoever it is placed by does. */
  #clippers(element: Element): readonly Element[] {
    const found: Element[] = [];
    let { position } = getComputedStyle(element);
    for (let each = element.parentElement; each !== null; each = each.parentElement) {
      if (each === document.body) break;
      const style = getComputedStyle(each);
      const holdsFixed = style.transform !== 'none' || style.contain.includes('paint');
      const holdsAbsolute = holdsFixed || style.position !== 'static';
      if (position === 'fixed' && !holdsFixed) continue;
      if (position === 'absolute' && !holdsAbsolute) continue;
      ({ position } = style);
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') found.push(each);
    }
    return found;
  }

  #within({ left, top, right, bottom }: DOMRect, clipper: Element): DOMRect {
    const box = clipper.getBoundingClientRect();
    const { overflowX, overflowY } = getComputedStyle(clipper);
    if (overflowX !== 'visible') {
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    if (overflowY !== 'visible') {
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  #isOut({ left, top, right, bottom }: DOMRect): boolean {
    const { clientWidth, clientHeight } = document.documentElement;
    const isBefore = Math.min(left, top) < -this.#slack;
    return isBefore || right > clientWidth + this.#slack || bottom > clientHeight + this.#slack;
  }

  /** The document cuts it off without a word. */
  #checkPlace(element: Element): void {
    const whole = element.getBoundingClientRect();
    if (!this.#isOut(whole)) return;
    const seen = this.#clippers(element).reduce((box, each) => this.#within(box, each), whole);
    if (seen.width < 1 || seen.height < 1) return;
    if (this.#isOut(seen)) this.#note('sticks out of the window', element);
  }

  #checkSideways(element: Element): void {
    if (element.scrollWidth <= element.clientWidth + this.#slack) return;
    if (!/auto|scroll/.test(getComputedStyle(element).overflowX)) return;
    if (!element.matches(this.#sideways)) this.#note('scrolls sideways', element);
  }

  #hasOwnText(element: Element): boolean {
    return [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
    );
  }

  /** Text that is cut ends in an ellipsis, and enough of it is left. */
  #checkText(element: Element): void {
    if (element.scrollWidth <= element.clientWidth + this.#slack || !this.#hasOwnText(element))
      return;
    if (element.matches('textarea, [aria-hidden="true"]')) return;
    const { overflowX, textOverflow } = getComputedStyle(element);
    if (overflowX === 'visible') return;
    if (/auto|scroll/.test(overflowX)) return;
    if (textOverflow !== 'ellipsis') this.#note('text is cut', element);
    else if (element.clientWidth < this.#leastText)
      this.#note('nothing is left of a text', element);
  }

  #checkControl(control: Element): void {
    let box = control.getBoundingClientRect();
    for (const each of this.#clippers(control)) {
      if (this.#isScrolledOut(box, each)) return;
      if (this.#cuts(box, each)) {
        this.#note('clipped', control, each);
        return;
      }
      // What is scrolled out in part is not cut by whatever holds the list.
      box = this.#within(box, each);
    }
    // The document cuts it off, or it lies where nothing shows it.
    if (box.width < 1 || box.height < 1) {
      this.#note('hidden', control);
      return;
    }
    this.#checkOwnText(control);
    // It is being scrolled in or out.
    const whole = control.getBoundingClientRect();
    if (box.width * box.height < (whole.width * whole.height) / 2) return;
    const cover = this.#coverOf(control, box);
    if (cover !== undefined) this.#note('covered', control, cover);
  }

  #isScrolledOut(box: DOMRect, scroller: Element): boolean {
    const { left, top, right, bottom } = scroller.getBoundingClientRect();
    const { overflowX, overflowY } = getComputedStyle(scroller);
    const scrolls = (overflow: string): boolean => /auto|scroll/.test(overflow);
    return (
      (scrolls(overflowY) && (box.bottom <= top + 1 || box.top >= bottom - 1)) ||
      (scrolls(overflowX) && (box.right <= left + 1 || box.left >= right - 1))
    );
  }

  #cuts(box: DOMRect, clipper: Element): boolean {
    const { left, top, right, bottom } = clipper.getBoundingClientRect();
    const { overflowX, overflowY, textOverflow } = getComputedStyle(clipper);
    const isCut = (overflow: string): boolean => /hidden|clip/.test(overflow);
    const isWide = box.left < left - this.#slack || box.right > right + this.#slack;
    const isHigh = box.top < top - this.#slack || box.bottom > bottom + this.#slack;
    return (
      (isCut(overflowX) && isWide && textOverflow !== 'ellipsis') || (isCut(overflowY) && isHigh)
    );
  }

  /** Text that is wider than what it belongs to lies over its neighbours. */
  #checkOwnText(control: Element): void {
    if (control.matches('input, textarea, select')) return;
    const { left, right } = control.getBoundingClientRect();
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: parent } = node;
      if (parent === null || (node.textContent ?? '').trim() === '' || !this.#isShown(parent))
        continue;
      if (this.#isCutWithin(parent, control)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        if (line.left < left - this.#slack || line.right > right + this.#slack) {
          this.#note('text sticks out', control);
          return;
        }
      }
    }
  }

  #isCutWithin(element: Element, control: Element): boolean {
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      if (getComputedStyle(each).overflowX !== 'visible') return true;
      if (each === control) return false;
    }
    return false;
  }

  /** What lies over the middle or a corner of what is seen of the control. */
  #coverOf(control: Element, seen: DOMRect): Element | undefined {
    const across = Math.min(6, seen.width / 4);
    const down = Math.min(6, seen.height / 4);
    const points = [
      [seen.left + seen.width / 2, seen.top + seen.height / 2],
      ...[seen.left + across, seen.right - across].flatMap((x) => [
        [x, seen.top + down],
        [x, seen.bottom - down],
      ]),
    ] as const;
    for (const [x = 0, y = 0] of points) {
      const top = document.elementFromPoint(x, y);
      if (top !== null && this.#covers(top, control)) return top;
    }
    return undefined;
  }

  #covers(top: Element, control: Element): boolean {
    if (top.contains(control) || control.contains(top)) return false;
    const label = top.closest('label');
    if (label !== null && (label.control === control || label.contains(control))) return false;
    const layer = top.closest(this.#layers);
    if (layer !== null && !layer.contains(control)) return false;
    return !this.#canBeScrolledFrom(top, control);
  }

  /** What floats at an edge of a list covers what is scrolled under it: that can be scrolled on. */
  #canBeScrolledFrom(top: Element, control: Element): boolean {
    const scroller = this.#clippers(control).find(
      (each) =>
        /auto|scroll/.test(getComputedStyle(each).overflowY) &&
        each.scrollHeight > each.clientHeight + this.#slack,
    );
    if (scroller === undefined) return false;
    const list = scroller.getBoundingClientRect();
    for (let each: Element | null = top; each !== null; each = each.parentElement) {
      if (each.contains(control)) return false;
      const { position } = getComputedStyle(each);
      const { top: above, bottom: below } = each.getBoundingClientRect();
      const isAtEdge = above < list.top + this.#edge || below > list.bottom - this.#edge;
      if (position === 'sticky' || (position === 'absolute' && isAtEdge)) return true;
    }
    return false;
  }
}
