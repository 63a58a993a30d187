import { asset } from '../../pages/assets/asset.ts';
import { dashboardScriptText, dashboardStyles } from './built.ts';

export const dashboardStylesheet = asset('dashboard', 'css', 'text/css; charset=utf-8', dashboardStyles);
export const dashboardScript = asset('dashboard', 'js', 'text/javascript; charset=utf-8', dashboardScriptText);
