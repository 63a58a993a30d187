import { faultOf, hintOf } from '../pages/fields.ts';
import { type Html, html } from '../pages/html.ts';
import { checkBox } from './parts.ts';

interface ImageField {
  id: string;
  label: string;
  current: string | null;
  /** The image of a form that was refused for another reason. */
  kept: string | undefined;
  fault: string | undefined;
}

/** The current image and a field for a new one, which the script shows before it is sent. */
export function imageField({ id, label, current, kept, fault }: ImageField): Html {
  const shown = kept ?? current;
  return html`<div class="field"><label for="${id}">${label}</label>
${shown && html`<img class="picture" id="${id}-now" src="${shown}" alt="The ${kept ? 'chosen' : 'current'} image">`}
<canvas class="picture" id="${id}-next" role="img" aria-label="The image that is chosen" hidden></canvas>
${kept && html`<input type="hidden" name="kept_image" value="${kept}"><p class="hint">This image is kept. It is used when you save the form.</p>`}
<input type="file" id="${id}" name="image" accept="image/png,image/jpeg,image/webp" data-shows="${id}-next" data-hides="${id}-now" aria-describedby="${id}-hint ${id}-fault"${fault !== undefined && html` aria-invalid="true"`}>
${hintOf(id, 'PNG, JPEG or WebP, at most 3 MB and 8,192 pixels a side. Metadata, such as where a photo was taken, is removed.')}${faultOf(id, fault)}
${shown && checkBox({ id: 'remove_image', label: 'Remove the image', isChecked: false })}</div>`;
}
