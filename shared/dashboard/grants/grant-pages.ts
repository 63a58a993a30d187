import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import type { Activation, KeyState, LicenseKey } from '../../domain/entitlements/license-key.ts';
import { type DomainError, notFound } from '../../domain/errors.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { restoreGrant, revokeGrant } from '../../use-cases/entitlements/change-grant.ts';
import { changeKey, endInstance } from '../../use-cases/entitlements/change-license-key.ts';
import { overviewGrants } from '../../use-cases/entitlements/grant-overview.ts';
import type { GrantViewDeps } from '../../use-cases/entitlements/list-grants.ts';
import { type ReissueKeyDeps, reissueKey } from '../../use-cases/entitlements/reissue-key.ts';
import { GrantReasonInput } from '../../wire/entitlements/grant-input.ts';
import { LicenseKeyChangeInput, ReissueInput } from '../../wire/entitlements/license-input.ts';
import { parseInput } from '../../wire/parse.ts';
import { isDay } from '../calendar-day.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import type { Typed } from '../entries.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { grantPage } from './grant-page.ts';

interface GrantPagesDeps extends ReissueKeyDeps {
  grants: ReissueKeyDeps['grants'] & Pick<GrantStore, 'find'>;
  entitlements: ReissueKeyDeps['entitlements'] & GrantViewDeps['entitlements'];
  licenseKeys: ReissueKeyDeps['licenseKeys'] &
    Pick<LicenseKeyStore, 'find' | 'save' | 'findActivation' | 'saveActivation'>;
  payments: ReissueKeyDeps['payments'] & GrantViewDeps['payments'];
}

const commands = dashboardCommands.grants;

/** The page of a grant, with the commands of a member. */
export const grantPages = (deps: GrantPagesDeps): DashboardRoutes<typeof commands> => ({
  needs: ({ param }) => [keys.grant(param('id'))],
  show: (visit) => showGrant(deps, visit),
  forms: {
    commands,
    run: {
      revoke: (submission) => revoke(deps, submission),
      restore: (submission) => restore(deps, submission),
      reissue: (submission) => reissue(deps, submission),
      change_key: (submission) => changeTerms(deps, submission),
      end_device: (submission) => endDevice(deps, submission),
    },
  },
});

const idIn = ({ request }: Visit): string => request.param('id');

/** The most devices that the page shows. */
const mostDevices = 100;

async function showGrant(
  deps: GrantPagesDeps,
  visit: Visit,
  { typed, faults = [] }: { typed?: Typed; faults?: readonly FormFault[] } = {},
) {
  const grant = await deps.grants.get(idIn(visit));
  const [given] = await overviewGrants(deps, [grant]);
  if (!given) throw notFound('grant', grant.id);
  const key = given.key?.key;
  const devices =
    key && !key.isPoolCode
      ? (await deps.licenseKeys.listActivations(key.id, { size: mostDevices, skip: 0, after: undefined })).items
      : [];
  const { payment, entitlement } = given;
  const config = entitlement?.config;
  return grantPage(frameOf(visit), {
    ...{ given, devices, faults },
    canMail: deps.mailer !== undefined && payment !== undefined && payment.erasedAt === undefined,
    isKeyAsked: config?.type === 'license_key' && config.fulfillment === 'manual',
    filled: { typed: typed ?? (key ? termsOf(key) : {}), locale: visit.locale },
  });
}

const dayOf = (expiresAt: string): string => expiresAt.slice(0, 10);

const termsOf = ({ activationsLimit, expiresAt }: LicenseKey): Typed => ({
  limit: activationsLimit === null ? '' : String(activationsLimit),
  expires: expiresAt === null ? '' : dayOf(expiresAt),
});

/** Shows the page again, with the reason why a command was refused. */
const refused =
  (deps: GrantPagesDeps, submission: FormSubmission, text: 'refused.reissue' | 'refused.restore') =>
  ({ code }: DomainError) => {
    const t = textsOf(dashboardTexts('grants'), submission);
    const message = t(code === 'LICENSE_KEY_ALREADY_EXISTS' ? 'refused.taken' : text);
    return showGrant(deps, submission, { faults: [{ field: '', message }] });
  };

const doneAt = (submission: FormSubmission, done: string) => `${submission.request.path}?done=${done}`;

const revoke = (deps: GrantPagesDeps, submission: FormSubmission) =>
  unlessRefused(
    async () => {
      const { reason } = parseInput(GrantReasonInput, { reason: submission.form.text('reason') || null });
      return submission.once<GrantView>(
        (claim) => revokeGrant(deps, { id: idIn(submission), reason }, claim),
        () => doneAt(submission, 'accessRevoked'),
      );
    },
    (refusal) => {
      const t = textsOf(dashboardTexts('grants'), submission, dashboardTexts('faults'));
      return showGrant(deps, submission, { faults: faultsOf(refusal, t) });
    },
  );

const restore = (deps: GrantPagesDeps, submission: FormSubmission) =>
  unlessRefused(
    () =>
      submission.once<GrantView>(
        (claim) => restoreGrant(deps, { id: idIn(submission) }, claim),
        () => doneAt(submission, 'accessRestored'),
      ),
    refused(deps, submission, 'refused.restore'),
  );

const reissue = (deps: GrantPagesDeps, submission: FormSubmission) =>
  unlessRefused(
    async () => {
      const { form } = submission;
      const { key } = parseInput(ReissueInput, { key: form.text('new_key') || null });
      const id = await keyIn(deps, submission);
      return submission.once<Awaited<ReturnType<typeof reissueKey>>>(
        (claim) => reissueKey(deps, { id, key }, claim),
        ({ isMailed }) => doneAt(submission, isMailed ? 'keyReplaced' : 'keyReplacedUnmailed'),
      );
    },
    refused(deps, submission, 'refused.reissue'),
  );

/** The id of the key in the form. It belongs to this grant, but may have been replaced since then. */
async function keyIn({ licenseKeys }: GrantPagesDeps, submission: FormSubmission): Promise<string> {
  const key = await licenseKeys.find(submission.form.text('key_id'));
  if (key?.grantId !== idIn(submission)) throw notFound('licence key', submission.form.text('key_id'));
  return key.id;
}

async function changeTerms(deps: GrantPagesDeps, submission: FormSubmission) {
  const { form } = submission;
  const id = await keyIn(deps, submission);
  const typed = { limit: form.text('limit'), expires: form.text('expires') };
  const faults = faultsIn(typed, submission);
  if (faults.length > 0) return showGrant(deps, submission, { typed, faults });
  const { expiresAt } = await deps.licenseKeys.get(id);
  const change = parseInput(LicenseKeyChangeInput, {
    activations_limit: typed.limit === '' ? null : Number(typed.limit),
    // If the day was not changed, the time of the end is not changed either.
    ...(expiresAt !== null && typed.expires === dayOf(expiresAt)
      ? {}
      : { expires_at: typed.expires === '' ? null : `${typed.expires}T00:00:00Z` }),
  });
  return submission.once<KeyState>(
    (claim) => changeKey(deps, id, change, claim),
    () => doneAt(submission, 'saved'),
  );
}

function faultsIn({ limit, expires }: { limit: string; expires: string }, submission: FormSubmission): FormFault[] {
  const t = textsOf(dashboardTexts('grants'), submission);
  const isNumber = limit === '' || (/^[1-9]\d{0,6}$/.test(limit) && Number(limit) <= 1_000_000);
  return [
    ...(isNumber ? [] : [{ field: 'limit', message: t('fault.limit') }]),
    ...(expires === '' || isDay(expires) ? [] : [{ field: 'expires', message: t('fault.expires') }]),
  ];
}

async function endDevice(deps: GrantPagesDeps, submission: FormSubmission) {
  const licenseKeyId = await keyIn(deps, submission);
  const activationId = submission.form.text('device_id');
  return submission.once<Activation>(
    (claim) => endInstance(deps, { licenseKeyId, activationId }, claim),
    () => doneAt(submission, 'deviceEnded'),
  );
}
