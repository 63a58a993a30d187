import { isPermitted } from '../../domain/access/access.ts';
import { isOfDialect } from '../../domain/webhooks/event-types.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { presentWebhook } from '../../wire/webhooks/webhook.ts';
import { time } from '../dates.ts';
import { drawing, type Entry, type Filled, shownTexts, type Typed } from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';
import type { Frame } from '../frame.ts';
import { badge, type FormFault } from '../parts.ts';
import { type Texts, withMarkup } from '../texts.ts';

const { check, list, text, textArea } = kindsOf(dashboardTexts('webhooks'));

/** The fields of an endpoint. If no event type is chosen, the endpoint gets all events. */
export const webhookEntries = {
  url: text('url', 'url', { label: 'address', maxLength: 2_048, isRequired: true, isCode: true }),
  description: textArea('description', 'description', { label: 'description', maxLength: 500 }),
  types: {
    ...list('type', 'filter_types', { label: 'events' }),
    read: (typed) => ({ value: typed === '' ? null : typed.split(' ') }),
  },
} as const satisfies Readonly<Record<string, Entry>>;

/** Whether the endpoint is enabled. The field exists only for an existing endpoint. */
const enabled: Entry = {
  ...check('enabled', 'disabled', { label: 'enabled' }),
  show: (value) => (value === true ? '' : 'true'),
  read: (typed) => ({ value: typed === '' }),
};
export const webhookChangeEntries = { ...webhookEntries, enabled };

export const textsOfEndpoint = (endpoint: WebhookEndpoint, locale: Locale): Typed =>
  shownTexts(webhookChangeEntries, presentWebhook(endpoint), locale);

interface EndpointForm {
  filled: Filled;
  faults: readonly FormFault[];
  mayMove: boolean;
  /** The own types that the endpoint receives without a choice. */
  kept?: readonly string[];
}

/**
 * The fields of an endpoint. Only an admin can change the address. Unknown event types also have boxes, because only
 * ticked boxes are saved.
 */
export function endpointFields(
  { filled, faults, mayMove, kept = [] }: EndpointForm,
  t: Texts<TextKey<'webhooks'>>,
): Html {
  const field = drawing({ ...filled, faults });
  const { type = '' } = filled.typed;
  const chosen = type.split(' ').filter((one) => one !== '');
  return html`${field(webhookEntries.url, { isLocked: !mayMove, hint: t(mayMove ? 'address.hint' : 'address.locked') })}
${field(webhookEntries.description)}
<fieldset class="boxes" id="type" tabindex="-1"><legend>${t('events')}</legend><p class="hint">${t('events.hint')}</p>
${[...new Set([...eventTypes, ...chosen])].map((one) => typeBox(one, chosen.includes(one), !isOfDialect(one) && !kept.includes(one) && t('events.named')))}</fieldset>`;
}

const typeBox = (
  type: string,
  isChecked: boolean,
  mark: string | false,
): Html => html`<div class="check"><input type="checkbox" id="type-${type}" name="type" value="${type}"${isChecked && html` checked`}><label for="type-${type}"><code>${type}</code>${mark && html` <span class="hint">${mark}</span>`}</label></div>
`;

/** A note for a viewer whose key expires. It says why the form is limited. */
export const expiringNote = ({ viewer }: Frame, t: Texts<TextKey<'webhooks'>>): Html | false =>
  viewer.expiresAt !== null &&
  isPermitted(viewer, 'write') &&
  html`<p class="note wait">${withMarkup(t('expiring'), { time: time(viewer.expiresAt, t.locale) })}</p>`;

/** Whether the endpoint gets events. If not, it says why. */
export const stateBadge = ({ disabled }: WebhookEndpoint, t: Texts<TextKey<'webhooks'>>): Html =>
  disabled
    ? badge(disabled.reason, disabled.reason === 'merchant' ? 'none' : 'bad', t(`state.${disabled.reason}`))
    : badge('enabled', 'good', t('state.enabled'));
