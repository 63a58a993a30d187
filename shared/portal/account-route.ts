import { notFound } from '../domain/errors.ts';
import type { PortalSession } from '../domain/portal/portal-access.ts';
import { portalDataPath } from '../domain/portal/portal-path.ts';
import type { Page } from '../http/page.ts';
import { findLocale, locales } from '../pages/locale.ts';
import type { PageContext } from '../pages/page-context.ts';
import {
  changePortalCustomer,
  loadPortalData,
  type PortalDataDeps,
  portalLanguage,
  portalProfiles,
  requestPortalErasure,
} from '../use-cases/portal/portal-data.ts';
import { endPortalDevice, listPortalKeys } from '../use-cases/portal/portal-keys.ts';
import { type BuyerDataView, dataPage, deviceListPage } from './account-pages.ts';
import { dataFile } from './data-file.ts';

interface AccountVisit {
  path: string;
  session: PortalSession;
  context: PageContext;
  /** The posted form; undefined if the page is only opened. */
  form: URLSearchParams | undefined;
  respond: (context: PageContext, body: string, statusCode?: number) => Page;
}

/** The other pages of a signed-in buyer besides the list of orders: licence keys with devices, and personal data. */
export const answerAccount = (deps: PortalDataDeps, visit: AccountVisit): Promise<Page> =>
  visit.path === portalDataPath ? answerData(deps, visit) : answerKeys(deps, visit);

async function answerKeys(deps: PortalDataDeps, { session, context, form, respond }: AccountVisit): Promise<Page> {
  if (form) {
    const device = { licenseKeyId: form.get('key') ?? '', activationId: form.get('device') ?? '' };
    await endPortalDevice(deps, session, device);
  }
  return respond(context, deviceListPage(context, session, await listPortalKeys(deps, session)));
}

const longestName = 250;

function answerData(deps: PortalDataDeps, visit: AccountVisit): Promise<Page> {
  const step = visit.form?.get('step') ?? '';
  if (!visit.form) return showData(deps, visit);
  if (step === 'file') return fileAnswer(deps, visit.session);
  if (step === 'name') return changeProfile(deps, visit, visit.form);
  if (step === 'erase') return askForErasure(deps, visit);
  throw notFound('form', portalDataPath);
}

const nothingDone = { isSaved: false, fault: undefined, answeredBy: undefined };

/** Shows the page of the buyer's data, after the posted form was processed. */
async function showData(
  deps: PortalDataDeps,
  { session, context, respond }: AccountVisit,
  done: Partial<BuyerDataView> = {},
): Promise<Page> {
  const [profiles, chosen] = await Promise.all([portalProfiles(deps, session), portalLanguage(deps, session)]);
  const view = {
    name: profiles[0]?.name ?? '',
    language: findLocale(chosen) ?? context.locale,
    ...nothingDone,
    ...done,
  };
  return respond(context, dataPage(context, session, view), view.fault ? 422 : 200);
}

async function changeProfile(deps: PortalDataDeps, visit: AccountVisit, form: URLSearchParams): Promise<Page> {
  const name = (form.get('name') ?? '').trim();
  const language = locales.find((locale) => locale === form.get('language'));
  const typed = { name, ...(language && { language }) };
  if (name === '' || name.length > longestName)
    return showData(deps, visit, { ...typed, fault: name === '' ? 'missing' : 'invalid' });
  await changePortalCustomer(deps, visit.session, { name, language });
  return showData(deps, visit, { ...typed, isSaved: true });
}

const askForErasure = async (deps: PortalDataDeps, visit: AccountVisit): Promise<Page> =>
  showData(deps, visit, { answeredBy: await requestPortalErasure(deps, visit.session) });

async function fileAnswer(deps: PortalDataDeps, session: PortalSession): Promise<Page> {
  const body = dataFile(await loadPortalData(deps, session), session.email, deps.now().toISOString());
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="my-data.json"',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  };
  return { statusCode: 200, headers, body };
}
