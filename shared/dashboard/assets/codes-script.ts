import { asset } from '../../pages/assets/asset.ts';
import { codesScriptText } from './built.ts';

/** The script of the page that adds many codes in portions. Only that page has it in its bundle. */
export const codesScript = asset('codes', 'js', 'text/javascript; charset=utf-8', codesScriptText);
