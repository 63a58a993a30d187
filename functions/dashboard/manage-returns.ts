import { returnPages } from '../../shared/dashboard/returns/return-pages.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { exportBucket } from '../../shared/outside/exports/export-bucket.ts';
import { exportJobs, filedReturns } from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { newId, now } from '../../shared/wiring/runtime.ts';

const { linkTo, readFile } = exportBucket(env.bucketName());
const deps = {
  exportJobs: exportJobs(),
  filedReturns: filedReturns(),
  linkTo,
  readFile,
  hashOf: hashApiKey,
  merchantCountry: env.merchant().country,
  now,
  newId,
};

/** GET, POST /dashboard/returns */
export const handler = dashboard(returnPages(deps));
