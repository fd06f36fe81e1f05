// Brushes for a canvas. A box is `[x, y, width, height]`.

export const inset = ([x, y, wide, tall], by) => [x + by, y + by, wide - 2 * by, tall - 2 * by];

export function paint(context, fillStyle, box, globalAlpha = 1) {
  Object.assign(context, { fillStyle, globalAlpha });
  context.fillRect(...box);
  context.globalAlpha = 1;
}

export function outline(context, strokeStyle, lineWidth, box) {
  Object.assign(context, { strokeStyle, lineWidth });
  context.strokeRect(...box);
}

export function write(context, fillStyle, text, x, y, room = undefined) {
  context.fillStyle = fillStyle;
  context.fillText(text, x, y, room);
}
