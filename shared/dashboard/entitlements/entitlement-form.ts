import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { drawing, type Filled } from '../entries.ts';
import type { Frame } from '../frame.ts';
import { type FormFault, fieldCard, formKeys } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { entitlementEntries as entries } from './entitlement-entries.ts';

interface EntitlementFormView {
  to: string;
  filled: Filled;
  faults: readonly FormFault[];
  /** The command of the button. It also decides its label. */
  action: 'create' | 'save';
  label: string;
  isLocked: boolean;
  /** Hidden fields. */
  fields?: Html;
}

/** The form with the settings of one entitlement. */
export function entitlementForm(frame: Frame, view: EntitlementFormView): Html {
  const { to, filled, faults, action, label, isLocked, fields } = view;
  const t = textsOf(dashboardTexts('entitlements'), frame);
  const field = drawing({ ...filled, faults });
  const given = Object.values(entries).filter(
    ({ name, path, applies }) =>
      path.startsWith('integration_config.') &&
      name !== 'duration_interval' &&
      name !== 'pool' &&
      applies(filled.typed),
  );
  const drawn = given.map((entry) =>
    entry.name === 'duration_count'
      ? html`<div class="pair">${field(entry)}${field(entries.unit)}</div>`
      : field(entry),
  );
  return html`<form method="post" action="${to}" novalidate>${formKeys(frame)}${fields}${field(entries.type)}${filled.typed['pool'] === 'true' && field(entries.pool)}
${fieldCard({ title: t('settings'), isLocked }, html`${field(entries.name)}${drawn}`)}
${fieldCard(
  { title: t('access'), isLocked },
  html`<p class="hint">${t('access.hint')}</p>${field(entries.endsByRefund)}${field(entries.pausesByDispute)}${field(entries.endsByLoss)}`,
)}
${!isLocked && html`<p class="submit"><button class="main" name="action" value="${action}">${label}</button></p>`}</form>`;
}
