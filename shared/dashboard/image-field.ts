import { faultOf, hintOf } from '../pages/fields.ts';
import { type Html, html } from '../pages/html.ts';
import type { TextKey } from '../texts/texts.ts';
import { checkBox } from './parts.ts';
import type { Texts } from './texts.ts';

interface ImageField {
  id: string;
  label: string;
  current: string | null;
  /** The image in a form that was refused because of another field. */
  kept: string | undefined;
  fault: string | undefined;
  t: Texts<TextKey<'catalogue'>>;
}

/** The current image, and a field for a new one. The script previews the new image. */
export function imageField({ id, label, current, kept, fault, t }: ImageField): Html {
  const shown = kept ?? current;
  return html`<div class="field"><label for="${id}">${label}</label>
${shown && html`<img class="picture" id="${id}-now" src="${shown}" alt="${t(kept ? 'image.chosen' : 'image.current')}">`}
<canvas class="picture" id="${id}-next" role="img" aria-label="${t('image.next')}" hidden></canvas>
${kept && html`<input type="hidden" name="kept_image" value="${kept}"><p class="hint">${t('image.kept')}</p>`}
<input type="file" id="${id}" name="image" accept="image/png,image/jpeg,image/webp" data-shows="${id}-next" data-hides="${id}-now" aria-describedby="${id}-hint ${id}-fault"${fault !== undefined && html` aria-invalid="true"`}>
${hintOf(id, t('image.hint'))}${faultOf(id, fault)}
${shown && checkBox({ id: 'remove_image', label: t('image.remove'), isChecked: false })}</div>`;
}
