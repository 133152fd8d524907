import type { IconNode } from 'lucide';

const drawn = new WeakMap<IconNode, DocumentFragment>();

function shapesOf(icon: IconNode): DocumentFragment {
  const known = drawn.get(icon);
  if (known !== undefined) return known;
  const shapes = document.createDocumentFragment();
  for (const [tag, attributes] of icon) {
    const shape = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value));
    shapes.append(shape);
  }
  drawn.set(icon, shapes);
  return shapes;
}

/** Puts the shapes of an icon into an `svg`: made once for each icon, and copied from then on. */
export const draw =
  (icon: IconNode) =>
  (svg: SVGElement): void =>
    svg.replaceChildren(shapesOf(icon).cloneNode(true));
