import type { Asset } from '../../pages/assets/asset.ts';
import { dashboardScript, dashboardStylesheet } from './asset.ts';
import { codesScript } from './codes-script.ts';
import { uploadScript } from './upload-script.ts';

/** The file of that name, if there is one. */
export const findDashboardAsset = (name: string): Asset | undefined =>
  [dashboardStylesheet, dashboardScript, uploadScript, codesScript].find((candidate) => candidate.name === name);
