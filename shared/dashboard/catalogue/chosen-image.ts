import { type PublishImageDeps, publishFile } from '../../use-cases/catalogue/publish-image.ts';
import type { DashboardForm } from '../form.ts';

export interface ChosenImageDeps extends PublishImageDeps {
  newUuid: () => string;
}

/** The image in a form: the address of a new file, `null` if it is removed, `undefined` if it does not change. */
export async function chosenImage(deps: ChosenImageDeps, form: DashboardForm): Promise<string | null | undefined> {
  const file = form.file('image');
  if (file) return publishFile(deps, deps.newUuid(), file);
  return form.has('remove_image') ? null : undefined;
}
