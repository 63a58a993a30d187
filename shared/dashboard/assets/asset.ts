import { type Asset, asset } from '../../pages/assets/asset.ts';
import { dashboardScriptText, dashboardStyles } from './built.ts';

export const dashboardStylesheet = asset('dashboard', 'css', 'text/css; charset=utf-8', dashboardStyles);
export const dashboardScript = asset('dashboard', 'js', 'text/javascript; charset=utf-8', dashboardScriptText);

/** The file of that name, if there is one. */
export const findDashboardAsset = (name: string): Asset | undefined =>
  [dashboardStylesheet, dashboardScript].find((candidate) => candidate.name === name);
