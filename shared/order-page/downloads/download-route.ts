import { type Brands, shownBrand } from '../../domain/catalogue/brand.ts';
import { publishedKinds } from '../../domain/catalogue/policies.ts';
import { downloadUrl } from '../../domain/entitlements/download-link.ts';
import type { Merchant, Stage } from '../../domain/merchant.ts';
import { orderPath } from '../../domain/orders/order-link.ts';
import { hashApiKey } from '../../http/api-key.ts';
import type { Page, PageRequest, PageRoute } from '../../http/page.ts';
import { isSameOrigin } from '../../pages/form-guard.ts';
import { seeOther } from '../../pages/headers.ts';
import { layoutHeaders } from '../../pages/layout.ts';
import { inLanguage } from '../../pages/locale.ts';
import { branded, type PageContext, pageContext, withdrawUrlOf } from '../../pages/page-context.ts';
import { keys, type ReadAhead } from '../../store/keys.ts';
import {
  type ClosedDownload,
  type DownloadDeps,
  type DownloadLink,
  downloadFile,
  openDownload,
} from '../../use-cases/entitlements/download-file.ts';
import { type DownloadNotice, downloadNotice, downloadPage, failedDownload } from './download-page.ts';

interface DownloadRouteDeps extends Omit<DownloadDeps, 'hashOf'> {
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
  merchant: Merchant;
  stage: Stage;
  publicUrl: string;
  /** The origin of the bucket, to which the button leads. */
  fileOrigin: () => string;
}

const maxFormBytes = 4_096;

/**
 * The page of one bought file. Only its button gives the file, by redirecting to the bucket. GET and HEAD store nothing
 * and give no file.
 */
export const downloadRoute = (deps: DownloadRouteDeps): PageRoute => ({
  answer: (request) =>
    deps.readAhead([keys.grant(request.param('grant_id')), keys.brands()], () =>
      request.method === 'POST' ? press(deps, request) : show(deps, request),
    ),
  refuse: ({ status, requestId }, request) => {
    const context = contextOf(deps, request);
    const body = status < 500 ? downloadNotice(context, 'closed') : failedDownload(context, requestId);
    return responseOf(context, status, body);
  },
});

const contextOf = ({ merchant, stage }: DownloadRouteDeps, request: PageRequest): PageContext =>
  pageContext(request, merchant, stage);

async function brandedContext(deps: DownloadRouteDeps, request: PageRequest, brandId = ''): Promise<PageContext> {
  const brands = await deps.brands.get();
  const context = branded(contextOf(deps, request), shownBrand(brands, brandId));
  return { ...context, policies: publishedKinds(brands), withdrawUrl: withdrawUrlOf(brands) };
}

const responseOf = ({ brand }: PageContext, statusCode: number, body: string, formOrigins: string[] = []): Page => ({
  statusCode,
  headers: { ...layoutHeaders(brand, { formOrigins }), 'x-robots-tag': 'noindex, nofollow' },
  body,
});

const fileOf = (request: PageRequest) => ({ grantId: request.param('grant_id'), fileId: request.param('file_id') });

async function show(deps: DownloadRouteDeps, request: PageRequest): Promise<Page> {
  const link = { ...fileOf(request), token: request.query('token') ?? '' };
  const opened = await openDownload(deps, link);
  if (opened.outcome !== 'open') return notice(deps, request, opened, link);
  const context = await brandedContext(deps, request, opened.grant.brandId);
  const { name, size } = opened.file;
  return responseOf(context, 200, downloadPage(context, { ...link, name, size }), [deps.fileOrigin()]);
}

async function press(deps: DownloadRouteDeps, request: PageRequest): Promise<Page> {
  const token = new URLSearchParams(request.form(maxFormBytes)).get('token') ?? '';
  const link: DownloadLink = { ...fileOf(request), token };
  if (!isSameOrigin(request.headers, deps.publicUrl)) return notice(deps, request, { outcome: 'closed' });
  const pressed = await downloadFile({ ...deps, hashOf: hashApiKey }, link);
  return pressed.outcome === 'leads' ? seeOther(pressed.url) : notice(deps, request, pressed, link);
}

const statuses: Readonly<Record<DownloadNotice, number>> = {
  closed: 404,
  outdated: 410,
  ended: 403,
  used_up: 403,
  often: 429,
  early: 409,
};

/**
 * The page for a link that does not give the file. All links that this stack did not make get the same page, so that a
 * stranger cannot learn which grants exist.
 */
async function notice(
  deps: DownloadRouteDeps,
  request: PageRequest,
  closed: ClosedDownload,
  link?: DownloadLink,
): Promise<Page> {
  const context = await brandedContext(deps, request);
  const { outcome } = closed;
  const next = nextOf(closed, context, link);
  return responseOf(context, statuses[outcome], downloadNotice(context, outcome, next));
}

/** The page that helps the buyer next: the order, or the same page in a moment. */
function nextOf(closed: ClosedDownload, { locale }: PageContext, link: DownloadLink | undefined): string | undefined {
  if (closed.outcome === 'outdated') return inLanguage(orderPath(closed.paymentId), locale);
  return closed.outcome === 'early' && link ? `${downloadUrl('', link, link.token)}&lang=${locale}` : undefined;
}
