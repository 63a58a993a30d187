import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { badge, type FormFault, messageAt, textArea } from '../parts.ts';

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

/**
 * The fields of an endpoint. Only an admin can change the address. Unknown types are boxes too, because saving
 * keeps only checked boxes.
 */
export function endpointFields(draft: WebhookDraft, faults: readonly FormFault[], mayMove: boolean): Html {
  const types = new Set([...eventTypes, ...draft.types]);
  return html`${textField({ id: 'url', name: 'url', label: 'Address', value: draft.url, isRequired: true, maxLength: 2048, isCode: true, isLocked: !mayMove, hint: mayMove ? 'https, and reachable from the internet.' : 'Only a key with admin access can change it.', fault: messageAt(faults, 'url') })}
${textArea({ id: 'description', label: 'Description (optional)', value: draft.description, maxLength: 500, fault: messageAt(faults, 'description') })}
<fieldset><legend>Events</legend><p class="hint">Choose none to receive every event, including types that are added later.</p>
${[...types].map((type) => typeBox(type, draft.types.includes(type)))}</fieldset>`;
}

const typeBox = (
  type: string,
  isChecked: boolean,
): Html => html`<div class="check"><input type="checkbox" id="type-${type}" name="type" value="${type}"${isChecked && html` checked`}><label for="type-${type}"><code>${type}</code></label></div>
`;

const reasons = { merchant: 'disabled', gone: 'it answered 410 Gone', failing: 'failing' } as const;

/** Whether it gets anything, and why not. */
export const stateBadge = ({ disabled }: WebhookEndpoint): Html =>
  disabled ? badge(reasons[disabled.reason], disabled.reason === 'merchant' ? 'none' : 'bad') : badge('enabled');
