import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { keptTypes, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { time } from '../dates.ts';
import type { Filled } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { card, dataTable, emptyState, type FormFault, faultSummary, formKeys } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { endpointFields, expiringNote, stateBadge } from './webhook-form.ts';

const commands = dashboardCommands.webhooks;

const section = '/dashboard/webhooks';

interface WebhookListView {
  endpoints: readonly WebhookEndpoint[];
  filled: Filled;
  faults: readonly FormFault[];
}

export function webhookListPage(frame: Frame, { endpoints, filled, faults }: WebhookListView) {
  const t = textsOf(dashboardTexts('webhooks'), frame);
  return dashboardAnswer(
    frame,
    {
      title: t('nav./dashboard/webhooks'),
      section,
      main: html`${faultSummary(faults, t)}${expiringNote(frame, t)}
${endpoints.length === 0 ? emptyState(t('none'), t('none.text')) : card({}, endpointTable(endpoints, t))}
${
  may(frame, commands.create) &&
  card(
    { name: 'new', title: t('new') },
    html`<form method="post" action="${section}" novalidate>${formKeys(frame)}${endpointFields({ filled, faults, mayMove: true }, t)}
<p class="submit"><button class="main" name="action" value="create">${t('create')}</button></p></form>`,
  )
}`,
    },
    { statusCode: faults.length > 0 ? 422 : 200 },
  );
}

const endpointTable = (endpoints: readonly WebhookEndpoint[], t: Texts<TextKey<'webhooks'>>): Html =>
  dataTable(
    t('endpoints'),
    [
      {
        label: t('address'),
        cell: ({ id, url, description }) =>
          html`<a class="address" href="${section}/${id}">${url}</a>${description && html`<span class="hint" dir="auto">${description}</span>`}`,
      },
      { label: t('notifiedOf'), cell: (one) => (one.filterTypes ?? [t('allEvents'), ...keptTypes(one)]).join(', ') },
      { label: t('state'), cell: (endpoint) => stateBadge(endpoint, t) },
      { label: t('since'), cell: ({ createdAt }) => time(createdAt, t.locale) },
    ],
    endpoints,
  );
