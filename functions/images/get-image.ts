import { download } from '../../shared/http/download.ts';
import { imageDownload } from '../../shared/outside/images/image-download.ts';
import { images } from '../../shared/wiring/images.ts';

const deps = { images: images() };

/** GET /images/{file} */
export const handler = download({ answer: ({ param }) => imageDownload(deps, param('file')) });
