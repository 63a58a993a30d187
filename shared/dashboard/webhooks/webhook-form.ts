import { isPermitted } from '../../domain/access/access.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { WebhooksKey } from '../../texts/texts.ts';
import { time } from '../dates.ts';
import type { Frame } from '../frame.ts';
import { badge, type FormFault, messageAt, textArea } from '../parts.ts';
import { type Texts, withMarkup } from '../texts.ts';

/** The entries of an endpoint's form. */
export interface WebhookDraft {
  url: string;
  description: string;
  /** The chosen types; empty: all. */
  types: readonly string[];
  isEnabled: boolean;
}

export const newEndpoint: WebhookDraft = { url: '', description: '', types: [], isEnabled: true };

export const draftOfEndpoint = ({ url, description, filterTypes, disabled }: WebhookEndpoint): WebhookDraft => ({
  url,
  description,
  types: filterTypes ?? [],
  isEnabled: disabled === null,
});

interface EndpointForm {
  draft: WebhookDraft;
  faults: readonly FormFault[];
  mayMove: boolean;
}

/**
 * The fields of an endpoint. Only an admin can change the address. Unknown types are boxes too, because saving
 * keeps only checked boxes.
 */
export function endpointFields({ draft, faults, mayMove }: EndpointForm, t: Texts<WebhooksKey>): Html {
  const types = new Set([...eventTypes, ...draft.types]);
  return html`${textField({ id: 'url', name: 'url', label: t('address'), value: draft.url, isRequired: true, maxLength: 2048, isCode: true, isLocked: !mayMove, hint: t(mayMove ? 'address.hint' : 'address.locked'), fault: messageAt(faults, 'url') })}
${textArea({ id: 'description', label: t('description'), value: draft.description, maxLength: 500, fault: messageAt(faults, 'description') })}
<fieldset class="boxes"><legend>${t('events')}</legend><p class="hint">${t('events.hint')}</p>
${[...types].map((type) => typeBox(type, draft.types.includes(type)))}</fieldset>`;
}

const typeBox = (
  type: string,
  isChecked: boolean,
): Html => html`<div class="check"><input type="checkbox" id="type-${type}" name="type" value="${type}"${isChecked && html` checked`}><label for="type-${type}"><code>${type}</code></label></div>
`;

/** Says to whom it concerns why a key that expires can do less here. */
export const expiringNote = ({ viewer }: Frame, t: Texts<WebhooksKey>): Html | false =>
  viewer.expiresAt !== null &&
  isPermitted(viewer, 'write') &&
  html`<p class="note wait">${withMarkup(t('expiring'), { time: time(viewer.expiresAt, t.locale) })}</p>`;

/** Whether it gets anything, and why not. */
export const stateBadge = ({ disabled }: WebhookEndpoint, t: Texts<WebhooksKey>): Html =>
  disabled
    ? badge(disabled.reason, disabled.reason === 'merchant' ? 'none' : 'bad', t(`state.${disabled.reason}`))
    : badge('enabled', 'good', t('state.enabled'));
