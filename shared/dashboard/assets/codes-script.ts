import { asset } from '../../pages/assets/asset.ts';
import { codesScriptText } from './built.ts';

/**
 * The script of the page that adds many codes in portions. It is in a separate file, so that only this page has it in
 * its bundle.
 */
export const codesScript = asset('codes', 'js', 'text/javascript; charset=utf-8', codesScriptText);
