import { type PublishImageDeps, publishFile } from '../../use-cases/catalogue/publish-image.ts';
import type { DashboardForm } from '../form.ts';

export interface ChosenImageDeps extends PublishImageDeps {
  newUuid: () => string;
}

/** The address of an image, `null` if the image is removed, `undefined` if it does not change. */
export type ChosenImage = string | null | undefined;

/** The image of a form: a new file, which is published, or the image that an earlier refused form contained. */
export async function chosenImage(deps: ChosenImageDeps, form: DashboardForm): Promise<ChosenImage> {
  const file = form.file('image');
  if (file) return publishFile(deps, deps.newUuid(), file);
  return form.has('remove_image') ? null : keptImage(deps, form);
}

/** The image of a form that is shown again; undefined if it has no image, or one that cannot be published. */
export const imageToKeep = async (chosen: Promise<ChosenImage>): Promise<string | undefined> =>
  (await chosen.catch(() => undefined)) ?? undefined;

/** Accepts only addresses of our own images, because the field could contain any other address. */
function keptImage({ publicUrl }: ChosenImageDeps, form: DashboardForm): string | undefined {
  const address = form.text('kept_image');
  const name = address.startsWith(`${publicUrl}/images/`) ? address.slice(`${publicUrl}/images/`.length) : '';
  return /^[0-9a-f-]{36}-\w+\.(?:png|jpeg|webp)$/.test(name) ? address : undefined;
}
