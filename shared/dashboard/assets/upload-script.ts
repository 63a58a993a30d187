import { asset } from '../../pages/assets/asset.ts';
import { uploadScriptText } from './built.ts';

/** The script of the page that sends files to the bucket. Only that page has it in its bundle. */
export const uploadScript = asset('upload', 'js', 'text/javascript; charset=utf-8', uploadScriptText);
