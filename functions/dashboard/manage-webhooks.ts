import { dashboard, type FormSubmission, unlessRefused, type Visit } from '../../shared/dashboard/dashboard.ts';
import { faultsOf } from '../../shared/dashboard/form-faults.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { listView } from '../../shared/dashboard/list-view.ts';
import { draftOfEndpoint, newEndpoint, type WebhookDraft } from '../../shared/dashboard/webhooks/webhook-form.ts';
import { webhookListPage } from '../../shared/dashboard/webhooks/webhook-list-page.ts';
import { webhookPage } from '../../shared/dashboard/webhooks/webhook-page.ts';
import { dashboardCommands } from '../../shared/domain/access/dashboard-commands.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import type { Claim } from '../../shared/domain/idempotency.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook.ts';
import {
  deliveries,
  events,
  newId,
  now,
  site,
  targetPolicy,
  webhookHealth,
  webhooks,
  world,
} from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createWebhook } from '../../shared/use-cases/webhooks/create-webhook.ts';
import { deleteWebhook } from '../../shared/use-cases/webhooks/delete-webhook.ts';
import { dispatchAgain } from '../../shared/use-cases/webhooks/dispatch-again.ts';
import { recoverWebhook } from '../../shared/use-cases/webhooks/recover-webhook.ts';
import { rotateWebhookSecret } from '../../shared/use-cases/webhooks/rotate-webhook-secret.ts';
import { testWebhook } from '../../shared/use-cases/webhooks/test-webhook.ts';
import { updateWebhook } from '../../shared/use-cases/webhooks/update-webhook.ts';
import { whyNotTarget } from '../../shared/webhooks/target.ts';
import { parseInput } from '../../shared/wire/parse.ts';
import { freezeEvent } from '../../shared/wire/webhooks/event.ts';
import { WebhookInput } from '../../shared/wire/webhooks/webhook.ts';
import { WebhookChangeInput } from '../../shared/wire/webhooks/webhook-change.ts';
import { WebhookTestInput } from '../../shared/wire/webhooks/webhook-command.ts';

const policy = targetPolicy();
const deps = {
  webhooks: webhooks(),
  health: webhookHealth(),
  deliveries: deliveries(),
  events: events(),
  freeze: freezeEvent(site()),
  whyNotUrl: (url: string) => whyNotTarget(url, policy),
  randomBytes: (length: number) => world.randomBytes(length),
  now,
  newId,
};
const home = '/dashboard/webhooks';
const recoverDays = 7;

/** GET, POST /dashboard/webhooks /dashboard/webhooks/{id} */
export const handler = dashboard(guard, {
  needs: ({ param }) => (param('id') ? [keys.webhook(param('id'))] : []),
  show: (visit) => {
    const id = idOf(visit);
    return id === '' ? showList(visit, newEndpoint) : showEndpoint(visit, id);
  },
  forms: { commands: dashboardCommands.webhooks, run: { create, save, rotate, test, resend, recover, delete: remove } },
});

const idOf = ({ request }: Visit): string => request.param('id');

async function showList(visit: Visit, draft: WebhookDraft, refusal?: DomainError) {
  const faults = refusal ? faultsOf(refusal) : [];
  return webhookListPage(frameOf(visit), { endpoints: await deps.webhooks.all(), draft, faults });
}

async function showEndpoint(visit: Visit, id: string, draft?: WebhookDraft, refusal?: DomainError) {
  const { request, links } = listView(visit, `${home}/${id}`, {});
  const [endpoint, page] = await Promise.all([
    deps.webhooks.get(id),
    deps.deliveries.listWhole({ endpointId: id }, request),
  ]);
  const shown = { draft: draft ?? draftOfEndpoint(endpoint), faults: refusal ? faultsOf(refusal) : [], ...links(page) };
  return webhookPage(frameOf(visit), {
    endpoint,
    deliveries: page.items,
    ...shown,
  });
}

const draftFrom = ({ form }: FormSubmission): WebhookDraft => ({
  url: form.text('url'),
  description: form.text('description'),
  types: form.all('type'),
  isEnabled: form.has('enabled'),
});

const bodyOf = ({ url, description, types }: WebhookDraft) => ({
  url,
  description,
  filter_types: types.length === 0 ? null : [...types],
});

/** Only the list makes endpoints. */
function create(submission: FormSubmission) {
  if (idOf(submission) !== '') throw new DomainError('NOT_FOUND', 'An endpoint is created on the list.');
  const draft = draftFrom(submission);
  return unlessRefused(
    async () => {
      const fields = parseInput(WebhookInput, bodyOf(draft));
      return submission.once<WebhookEndpoint>(
        (claim) => createWebhook(deps, fields, claim),
        ({ id }) => `${home}/${id}?done=created`,
      );
    },
    (refusal) => showList(submission, draft, refusal),
  );
}

function save(submission: FormSubmission) {
  const id = idOf(submission);
  const draft = draftFrom(submission);
  return unlessRefused(
    async () => {
      const change = parseInput(WebhookChangeInput, { ...bodyOf(draft), disabled: !draft.isEnabled });
      return submission.once<WebhookEndpoint>(
        (claim) => updateWebhook(deps, { id, change, by: submission.viewer }, claim),
        () => `${home}/${id}?done=saved`,
      );
    },
    (refusal) => showEndpoint(submission, id, draft, refusal),
  );
}

/** What a button does; a refusal is told on the endpoint's page. */
function pressed<Result>(
  submission: FormSubmission,
  act: (id: string, claim: Claim<Result>) => Promise<Result>,
  done: string,
) {
  const id = idOf(submission);
  return unlessRefused(
    () =>
      submission.once<Result>(
        (claim) => act(id, claim),
        () => `${home}/${id}?done=${done}`,
      ),
    (refusal) => showEndpoint(submission, id, undefined, refusal),
  );
}

function rotate(submission: FormSubmission) {
  return pressed(submission, (id, claim) => rotateWebhookSecret(deps, id, claim), 'rotated');
}

function test(submission: FormSubmission) {
  const type = submission.form.text('type');
  return pressed(
    submission,
    (id, claim) => testWebhook(deps, id, parseInput(WebhookTestInput, { type }), claim),
    'tested',
  );
}

function resend(submission: FormSubmission) {
  const eventId = submission.form.text('event_id');
  return pressed(submission, (id, claim) => dispatchAgain(deps, eventId, id, claim), 'resent');
}

function recover(submission: FormSubmission) {
  return pressed(submission, (id, claim) => recoverWebhook(deps, id, daysAgo(recoverDays), claim), 'recovered');
}

function remove(submission: FormSubmission) {
  return submission.once<WebhookEndpoint>(
    (claim) => deleteWebhook(deps, idOf(submission), claim),
    () => `${home}?done=removed`,
  );
}

const daysAgo = (days: number): string => new Date(now().getTime() - days * 86_400_000).toISOString();
