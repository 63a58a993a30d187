import type { Asset } from '../../pages/assets/asset.ts';
import { dashboardScript, dashboardStylesheet } from './asset.ts';
import { uploadScript } from './upload-script.ts';

/** The file of that name, if there is one. */
export const findDashboardAsset = (name: string): Asset | undefined =>
  [dashboardStylesheet, dashboardScript, uploadScript].find((candidate) => candidate.name === name);
