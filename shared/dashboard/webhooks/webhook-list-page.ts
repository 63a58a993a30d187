import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { dataTable, emptyState, type FormFault, faultSummary, formKeys, time } from '../parts.ts';
import { endpointFields, stateBadge, type WebhookDraft } from './webhook-form.ts';

const commands = dashboardCommands.webhooks;

const section = '/dashboard/webhooks';

interface WebhookListView {
  endpoints: readonly WebhookEndpoint[];
  draft: WebhookDraft;
  faults: readonly FormFault[];
}

export const webhookListPage = (frame: Frame, { endpoints, draft, faults }: WebhookListView) =>
  dashboardAnswer(
    frame,
    {
      title: 'Webhooks',
      section,
      main: html`${faultSummary(faults)}
${endpoints.length === 0 ? emptyState('No endpoints yet', 'An endpoint is an address of yours. It receives a signed event for every payment and refund, repeated until it answers.') : html`<section class="card">${endpointTable(endpoints)}</section>`}
${
  may(frame, commands.create) &&
  html`<section class="card" aria-labelledby="new-title"><h2 id="new-title">New endpoint</h2>
<form method="post" action="${section}" novalidate>${formKeys(frame)}${endpointFields(draft, faults, true)}
<p class="submit"><button class="main" name="action" value="create">Create the endpoint</button></p></form></section>`
}`,
    },
    { statusCode: faults.length > 0 ? 422 : 200 },
  );

const endpointTable = (endpoints: readonly WebhookEndpoint[]): Html =>
  dataTable(
    'Webhook endpoints',
    [
      {
        label: 'Address',
        cell: ({ id, url, description }) =>
          html`<a href="${section}/${id}">${url}</a>${description && html`<span class="hint" dir="auto">${description}</span>`}`,
      },
      { label: 'Notified of', cell: ({ filterTypes }) => filterTypes?.join(', ') ?? 'all events' },
      { label: 'State', cell: stateBadge },
      { label: 'Since', cell: ({ createdAt }) => time(createdAt) },
    ],
    endpoints,
  );
