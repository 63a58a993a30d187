import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type Brand, findBrand } from '../../domain/catalogue/brand.ts';
import type { DomainError } from '../../domain/errors.ts';
import { keys } from '../../store/keys.ts';
import { type CreateBrandDeps, createBrand } from '../../use-cases/catalogue/create-brand.ts';
import { type UpdateBrandDeps, updateBrand } from '../../use-cases/catalogue/update-brand.ts';
import { BrandChangeInput, BrandInput } from '../../wire/catalogue/brand.ts';
import { parseInput } from '../../wire/parse.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { type BrandDraft, brandFormPage, brandListPage, draftOfBrand, newBrand } from './brand-page.ts';
import { type ChosenImageDeps, chosenImage, imageToKeep } from './chosen-image.ts';
import { savePolicies, showPolicies } from './policies-pages.ts';

interface BrandPagesDeps extends CreateBrandDeps, UpdateBrandDeps, ChosenImageDeps {
  primaryBrandId: string;
}

const home = '/dashboard/brands';

/** The brands, and the form of each. */
export const brandPages = (deps: BrandPagesDeps): DashboardRoutes<typeof dashboardCommands.brands> => ({
  needs: ({ param }) => (param('id') === 'policies' ? [keys.brands(), keys.policies()] : [keys.brands()]),
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id === 'policies') return showPolicies(deps, visit);
    const all = await deps.brands.get();
    if (id === '') return brandListPage(frameOf(visit), all.brands);
    const brand = id === 'new' ? null : findBrand(all, id);
    return showForm(deps, visit, { brand, draft: brand ? draftOfBrand(brand) : newBrand });
  },
  forms: {
    commands: dashboardCommands.brands,
    run: {
      save: (submission) => save(deps, submission),
      save_policies: (submission) => savePolicies(deps, submission),
    },
  },
});

interface ShownForm {
  brand: Brand | null;
  draft: BrandDraft;
  refusal?: DomainError;
  keptImage?: string | undefined;
}

function showForm(deps: BrandPagesDeps, visit: Visit, { brand, draft, refusal, keptImage }: ShownForm) {
  const faults = refusal ? faultsOf(refusal, visit, { support_email: 'supportEmail', image_id: 'image' }) : [];
  return brandFormPage(frameOf(visit), {
    brand,
    isPrimary: brand?.id === deps.primaryBrandId,
    draft,
    faults,
    keptImage,
  });
}

const draftFrom = ({ form }: FormSubmission): BrandDraft => ({
  name: form.text('name'),
  description: form.text('description'),
  color: form.has('has_color') ? form.text('color') : '',
  supportEmail: form.text('supportEmail'),
  url: form.text('url'),
});

const bodyOf = ({ name, description, color, supportEmail, url }: BrandDraft) => ({
  name,
  description: description || null,
  color: color || null,
  support_email: supportEmail || null,
  url: url || null,
});

/** The brand of a posted form; null for a new one. */
async function brandOf(deps: BrandPagesDeps, { request }: FormSubmission): Promise<Brand | null> {
  const id = request.param('id');
  return id === '' ? null : findBrand(await deps.brands.get(), id);
}

async function save(deps: BrandPagesDeps, submission: FormSubmission) {
  const brand = await brandOf(deps, submission);
  const draft = draftFrom(submission);
  const chosen = chosenImage(deps, submission.form);
  const keptImage = await imageToKeep(chosen);
  return unlessRefused(
    async () => {
      const fields = parseInput(BrandInput, bodyOf(draft));
      const image = await chosen;
      const logo = image === undefined ? {} : { logo: image };
      return submission.once<Brand>(
        (claim) =>
          brand
            ? updateBrand(deps, brand.id, { ...parseInput(BrandChangeInput, bodyOf(draft)), ...logo }, claim)
            : createBrand(deps, { ...fields, ...logo }, claim),
        ({ id }) => `${home}/${id}?done=${brand ? 'saved' : 'created'}`,
      );
    },
    (refusal) => showForm(deps, submission, { brand, draft, refusal, keptImage }),
  );
}
