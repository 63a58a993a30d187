import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { dayMs } from '../../domain/duration.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type CreateWebhookDeps, createWebhook } from '../../use-cases/webhooks/create-webhook.ts';
import { type DeleteWebhookDeps, deleteWebhook } from '../../use-cases/webhooks/delete-webhook.ts';
import { type DispatchAgainDeps, dispatchAgain } from '../../use-cases/webhooks/dispatch-again.ts';
import { type RecoverWebhookDeps, recoverWebhook } from '../../use-cases/webhooks/recover-webhook.ts';
import { type RotateWebhookSecretDeps, rotateWebhookSecret } from '../../use-cases/webhooks/rotate-webhook-secret.ts';
import { type TestWebhookDeps, testWebhook } from '../../use-cases/webhooks/test-webhook.ts';
import { type UpdateWebhookDeps, updateWebhook } from '../../use-cases/webhooks/update-webhook.ts';
import { parseInput } from '../../wire/parse.ts';
import { WebhookInput } from '../../wire/webhooks/webhook.ts';
import { WebhookChangeInput } from '../../wire/webhooks/webhook-change.ts';
import { WebhookTestInput } from '../../wire/webhooks/webhook-command.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { type Entries, jsonOf, refusedEntries, shownTexts, type Typed, typedTexts } from '../entries.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { textsOfEndpoint, webhookChangeEntries, webhookEntries } from './webhook-form.ts';
import { webhookListPage } from './webhook-list-page.ts';
import { webhookPage } from './webhook-page.ts';

type Deps = CreateWebhookDeps &
  UpdateWebhookDeps &
  RotateWebhookSecretDeps &
  TestWebhookDeps &
  DispatchAgainDeps &
  RecoverWebhookDeps &
  DeleteWebhookDeps;

interface WebhookPagesDeps extends Deps {
  deliveries: Deps['deliveries'] & {
    listWhole: (filter: { endpointId: string }, request: ItemPageRequest) => Promise<ItemPage<Delivery>>;
  };
}

const home = '/dashboard/webhooks';
const recoverDays = 7;

/** Handles the list of endpoints, and the page of each with its deliveries. */
export const webhookPages = (deps: WebhookPagesDeps): DashboardRoutes<typeof dashboardCommands.webhooks> => ({
  needs: ({ param }) => (param('id') ? [keys.webhook(param('id'))] : []),
  show: (visit) => {
    const id = idOf(visit);
    return id === '' ? showList(deps, visit) : showEndpoint(deps, visit, id);
  },
  forms: {
    commands: dashboardCommands.webhooks,
    run: {
      create: (submission) => create(deps, submission),
      save: (submission) => save(deps, submission),
      rotate: (submission) => press(deps, submission, 'rotated', (id, claim) => rotateWebhookSecret(deps, id, claim)),
      test: (submission) =>
        press(deps, submission, 'tested', (id, claim) => testWebhook(deps, id, testOf(submission), claim)),
      resend: (submission) =>
        press(deps, submission, 'resent', (id, claim) =>
          dispatchAgain(deps, submission.form.text('event_id'), id, claim),
        ),
      recover: (submission) =>
        press(deps, submission, 'recovered', (id, claim) =>
          recoverWebhook(deps, id, daysAgo(deps, recoverDays), claim),
        ),
      delete: (submission) => remove(deps, submission),
    },
  },
});

const idOf = ({ request }: Visit): string => request.param('id');

interface Again {
  typed?: Typed;
  refusal?: DomainError;
}

const faultWords = (visit: Visit) => textsOf(dashboardTexts('webhooks'), visit, dashboardTexts('faults'));

async function showList(deps: WebhookPagesDeps, visit: Visit, { typed, refusal }: Again = {}) {
  const { locale } = visit;
  const filled = { typed: typed ?? shownTexts(webhookEntries, {}, locale), locale };
  const faults = refusal ? refusedEntries(webhookEntries, refusal, { ...filled, t: faultWords(visit) }) : [];
  return webhookListPage(frameOf(visit), { endpoints: await deps.webhooks.all(), filled, faults });
}

async function showEndpoint(deps: WebhookPagesDeps, visit: Visit, id: string, { typed, refusal }: Again = {}) {
  const { request, links } = await listView(visit, `${home}/${id}`, {});
  const [endpoint, page] = await Promise.all([
    deps.webhooks.get(id),
    deps.deliveries.listWhole({ endpointId: id }, request),
  ]);
  const { locale } = visit;
  const filled = { typed: typed ?? textsOfEndpoint(endpoint, locale), locale };
  const faults = refusal ? refusedEntries(webhookChangeEntries, refusal, { ...filled, t: faultWords(visit) }) : [];
  return webhookPage(frameOf(visit), { endpoint, deliveries: page.items, filled, faults, ...links(page) });
}

/** The typed fields, and the body for the API made from them. */
function sentBy({ form, locale }: FormSubmission, entries: Entries) {
  const typed = typedTexts(entries, form);
  return { typed, json: jsonOf(entries, { typed, locale }).json };
}

/** Creates an endpoint. Only the page with the list has this form. */
function create(deps: WebhookPagesDeps, submission: FormSubmission) {
  if (idOf(submission) !== '') throw new DomainError('NOT_FOUND', 'Create an endpoint on the page that lists them.');
  const { typed, json } = sentBy(submission, webhookEntries);
  return unlessRefused(
    async () => {
      const fields = parseInput(WebhookInput, json);
      return submission.once<WebhookEndpoint>(
        (claim) => createWebhook(deps, fields, claim),
        ({ id }) => `${home}/${id}?done=created`,
      );
    },
    (refusal) => showList(deps, submission, { typed, refusal }),
  );
}

function save(deps: WebhookPagesDeps, submission: FormSubmission) {
  const id = idOf(submission);
  const { typed, json } = sentBy(submission, webhookChangeEntries);
  return unlessRefused(
    async () => {
      const change = parseInput(WebhookChangeInput, json);
      return submission.once<WebhookEndpoint>(
        (claim) => updateWebhook(deps, { id, change, by: submission.viewer }, claim),
        () => `${home}/${id}?done=saved`,
      );
    },
    (refusal) => showEndpoint(deps, submission, id, { typed, refusal }),
  );
}

/** Runs the command of a button. If it is refused, the endpoint's page shows why. */
function press<Result>(
  deps: WebhookPagesDeps,
  submission: FormSubmission,
  done: string,
  act: (id: string, claim: Claim<Result>) => Promise<Result>,
) {
  const id = idOf(submission);
  return unlessRefused(
    () =>
      submission.once<Result>(
        (claim) => act(id, claim),
        () => `${home}/${id}?done=${done}`,
      ),
    (refusal) => showEndpoint(deps, submission, id, { refusal }),
  );
}

const testOf = ({ form }: FormSubmission) => parseInput(WebhookTestInput, { type: form.text('type') });

function remove(deps: WebhookPagesDeps, submission: FormSubmission) {
  return submission.once<WebhookEndpoint>(
    (claim) => deleteWebhook(deps, idOf(submission), claim),
    () => `${home}?done=removed`,
  );
}

const daysAgo = ({ now }: WebhookPagesDeps, days: number): string =>
  new Date(now().getTime() - days * dayMs).toISOString();
