import { keysPage } from '../../shared/dashboard/access/keys-page.ts';
import { type KeyDraft, keyBody, keyDraftFrom, newKeyDraft } from '../../shared/dashboard/access/read-key-form.ts';
import { dashboard, type FormSubmission, unlessRefused, type Visit } from '../../shared/dashboard/dashboard.ts';
import { faultsOf } from '../../shared/dashboard/form-faults.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import type { ApiKey } from '../../shared/domain/access/api-key.ts';
import { dashboardCommands } from '../../shared/domain/access/dashboard-commands.ts';
import { isOpen, type SignIn } from '../../shared/domain/access/sign-in.ts';
import type { DomainError } from '../../shared/domain/errors.ts';
import { env } from '../../shared/env.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import { apiKeys, now, randomText, signIns } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { type CreatedApiKey, createApiKey } from '../../shared/use-cases/access/create-api-key.ts';
import { endSession } from '../../shared/use-cases/access/end-session.ts';
import { revokeApiKey } from '../../shared/use-cases/access/revoke-api-key.ts';
import { ApiKeyInput } from '../../shared/wire/access/api-key.ts';
import { parseInput } from '../../shared/wire/parse.ts';

const newKey = () => formatApiKey(env.stage(), randomText(32));
const deps = { apiKeys: apiKeys(), signIns: signIns(), newKey, hashOf: hashApiKey, now };
const home = '/dashboard/keys';

/** GET, POST /dashboard/keys */
export const handler = dashboard(guard, {
  needs: () => [keys.apiKeyList()],
  show: (visit) => show(visit, {}),
  forms: { commands: dashboardCommands.keys, run: { create, revoke, end_session: endOther } },
});

/** Where the fields of a ceiling stand on the page. */
const names = {
  'daily_refund_limit.amount': 'limit',
  'daily_refund_limit.currency': 'limit',
  daily_refund_limit: 'limit',
};

interface Shown {
  plain?: string | undefined;
  draft?: KeyDraft;
  refusal?: DomainError;
}

async function show(visit: Visit, { plain, draft = newKeyDraft, refusal }: Shown) {
  const { hash, sessionId } = visit.viewer;
  const at = now().toISOString();
  const [{ keys }, signedIn] = await Promise.all([deps.apiKeys.list(), deps.signIns.list(hash)]);
  const sessions = signedIn.filter((signIn) => isOpen(signIn, at) && signIn.id !== sessionId);
  const faults = refusal ? faultsOf(refusal, names) : [];
  return keysPage(frameOf(visit), { keys, sessions, own: hash, now: at, plain, draft, faults });
}

/** The key stands on the answer itself and nowhere else; whoever sends the form again gets the list, and no second key. */
function create(submission: FormSubmission) {
  const draft = keyDraftFrom(submission.form);
  return unlessRefused(
    async () => {
      const fields = parseInput(ApiKeyInput, keyBody(draft));
      let created: CreatedApiKey | undefined;
      const act = async (claim: Parameters<typeof createApiKey>[2]) => {
        created = await createApiKey(deps, { fields, maker: submission.viewer }, claim);
        return created;
      };
      const elsewhere = await submission.once<CreatedApiKey>(act, () => home);
      return created ? show(submission, { plain: created.plain }) : elsewhere;
    },
    (refusal) => show(submission, { draft, refusal }),
  );
}

function revoke({ form, once }: FormSubmission) {
  return once<ApiKey>(
    (claim) => revokeApiKey(deps, { id: form.text('id'), withDescendants: form.has('descendants') }, claim),
    () => `${home}?done=revoked`,
  );
}

/** Another session of the key that is signed in; those of other keys end with their keys. */
function endOther({ form, viewer, once }: FormSubmission) {
  return once<SignIn>(
    (claim) => endSession(deps, { keyHash: viewer.hash, id: form.text('session_id') }, claim),
    () => `${home}?done=ended`,
  );
}
