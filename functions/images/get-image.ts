import { download } from '../../shared/http/download.ts';
import { images } from '../../shared/image-runtime.ts';
import { imageDownload } from '../../shared/images/image-download.ts';

const deps = { images: images() };

/** GET /images/{file} */
export const handler = download({ answer: ({ param }) => imageDownload(deps, param('file')) });
