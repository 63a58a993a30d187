import { faultOf, hintOf } from '../pages/fields.ts';
import { type Html, html } from '../pages/html.ts';
import { checkBox } from './parts.ts';

/** The current image and a field for a new one, which the script shows before it is sent. */
export const imageField = (id: string, label: string, current: string | null, fault: string | undefined): Html =>
  html`<div class="field"><label for="${id}">${label}</label>
${current && html`<img class="picture" id="${id}-now" src="${current}" alt="The current image">`}
<canvas class="picture" id="${id}-next" role="img" aria-label="The image that is chosen" hidden></canvas>
<input type="file" id="${id}" name="image" accept="image/png,image/jpeg,image/webp" data-shows="${id}-next" data-hides="${id}-now" aria-describedby="${id}-hint ${id}-fault"${fault !== undefined && html` aria-invalid="true"`}>
${hintOf(id, 'PNG, JPEG or WebP, at most 3 MB and 8,192 pixels a side. Metadata, such as where a photo was taken, is removed.')}${faultOf(id, fault)}
${current && checkBox({ id: 'remove_image', label: 'Remove the image', isChecked: false })}</div>`;
