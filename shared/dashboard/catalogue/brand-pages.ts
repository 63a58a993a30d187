import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type Brand, findBrand } from '../../domain/catalogue/brand.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type CreateBrandDeps, createBrand } from '../../use-cases/catalogue/create-brand.ts';
import { type UpdateBrandDeps, updateBrand } from '../../use-cases/catalogue/update-brand.ts';
import { BrandChangeInput, BrandInput } from '../../wire/catalogue/brand.ts';
import { parseInput } from '../../wire/parse.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { refusedEntries, type Typed, typedTexts } from '../entries.ts';
import { frameOf } from '../frame.ts';
import { templateKind } from '../legal/policy-form.ts';
import { previewPolicies, savePolicies, showPolicies } from '../legal/policy-pages.ts';
import { saveRights, showRights } from '../legal/rights-page.ts';
import { makePolicy, showTemplate, type TemplatePagesDeps } from '../legal/template-pages.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { brandEntries, brandJson, textsOfBrand } from './brand-entries.ts';
import { brandFormPage, brandListPage } from './brand-page.ts';
import { type ChosenImageDeps, chosenImage, imageToKeep } from './chosen-image.ts';

interface BrandPagesDeps extends CreateBrandDeps, UpdateBrandDeps, ChosenImageDeps, TemplatePagesDeps {
  brands: BrandStore;
  primaryBrandId: string;
}

const home = '/dashboard/brands';

/** The brands, and the form of each. */
export const brandPages = (deps: BrandPagesDeps): DashboardRoutes<typeof dashboardCommands.brands> => ({
  needs: ({ param }) =>
    param('id') === 'policies' ? [keys.brands(), keys.policies(), keys.policyLog()] : [keys.brands()],
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id === 'policies') return showPolicies(deps, visit);
    if (id === 'rights') return showRights(deps, visit);
    const template = templateKind(id);
    if (template) return showTemplate(deps, visit, template);
    const all = await deps.brands.get();
    if (id === '') return brandListPage(frameOf(visit), all.brands);
    const brand = id === 'new' ? null : findBrand(all, id);
    return showForm(deps, visit, { brand, typed: textsOfBrand(brand, visit.locale) });
  },
  forms: {
    commands: dashboardCommands.brands,
    run: {
      save: (submission) => save(deps, submission),
      save_policies: (submission) => savePolicies(deps, submission),
      make_policy: (submission) => makePolicy(deps, submission),
      preview_policies: (submission) => previewPolicies(deps, submission),
      save_rights: (submission) => saveRights(deps, submission),
    },
  },
});

interface ShownForm {
  brand: Brand | null;
  typed: Typed;
  refusal?: DomainError;
  keptImage?: string | undefined;
}

function showForm(deps: BrandPagesDeps, visit: Visit, { brand, typed, refusal, keptImage }: ShownForm) {
  const filled = { typed, locale: visit.locale };
  const faults = refusal
    ? refusedEntries(
        brandEntries,
        refusal,
        { ...filled, t: textsOf(dashboardTexts('catalogue'), visit, dashboardTexts('faults')) },
        { image_id: 'image' },
      )
    : [];
  return brandFormPage(frameOf(visit), {
    brand,
    isPrimary: brand?.id === deps.primaryBrandId,
    filled,
    faults,
    keptImage,
  });
}

/** The brand of a posted form; null for a new one. */
async function brandOf(deps: BrandPagesDeps, { request }: FormSubmission): Promise<Brand | null> {
  const id = request.param('id');
  return id === '' ? null : findBrand(await deps.brands.get(), id);
}

async function save(deps: BrandPagesDeps, submission: FormSubmission) {
  const brand = await brandOf(deps, submission);
  const typed = typedTexts(brandEntries, submission.form);
  const json = brandJson({ typed, locale: submission.locale });
  const chosen = chosenImage(deps, submission.form);
  const keptImage = await imageToKeep(chosen);
  return unlessRefused(
    async () => {
      const fields = parseInput(BrandInput, json);
      const image = await chosen;
      const logo = image === undefined ? {} : { logo: image };
      return submission.once<Brand>(
        (claim) =>
          brand
            ? updateBrand(deps, brand.id, { ...parseInput(BrandChangeInput, json), ...logo }, claim)
            : createBrand(deps, { ...fields, ...logo }, claim),
        ({ id }) => `${home}/${id}?done=${brand ? 'saved' : 'created'}`,
      );
    },
    (refusal) => showForm(deps, submission, { brand, typed, refusal, keptImage }),
  );
}
