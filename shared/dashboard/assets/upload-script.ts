import { asset } from '../../pages/assets/asset.ts';
import { uploadScriptText } from './built.ts';

/**
 * The script of the page that sends files to the bucket. It is in a separate file, so that only this page has it in its
 * bundle.
 */
export const uploadScript = asset('upload', 'js', 'text/javascript; charset=utf-8', uploadScriptText);
