import { findDashboardAsset } from '../../shared/dashboard/assets/find-dashboard-asset.ts';
import { notFound } from '../../shared/domain/errors.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { findAsset } from '../../shared/pages/assets/asset.ts';
import { findScript } from '../../shared/pages/assets/htmx.ts';
import { findRootFile } from '../../shared/pages/assets/root-files.ts';
import { assetHeaders } from '../../shared/pages/headers.ts';
import { refuseIn } from '../../shared/pages/notices/refused-page.ts';

/** GET /assets/{file} /favicon.ico /robots.txt */
export const handler = page({
  answer: ({ param, path }) => {
    const root = findRootFile(path);
    if (root) return { statusCode: 200, ...root };
    const asset = findAsset(param('file')) ?? findDashboardAsset(param('file')) ?? findScript(param('file'));
    if (!asset) throw notFound('such file');
    return { statusCode: 200, headers: assetHeaders(asset.type), body: asset.body };
  },
  refuse: refuseIn(env),
});
