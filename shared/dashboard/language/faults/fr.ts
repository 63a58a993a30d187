import type { FaultsKey } from './en.ts';

export const faultsFr: Readonly<Record<FaultsKey, string>> = {
  required: 'Remplissez ce champ.',
  tooLong: 'Saisissez {most} caractères au plus.',
  length: 'Saisissez de {least} à {most} caractères.',
  characters: 'Ce champ contient des caractères non autorisés.',
  cardNumber: 'Ne saisissez pas de numéro de carte.',
  email: 'Saisissez une adresse e-mail, comme nom@example.com.',
  address: 'Saisissez une adresse https.',
  day: 'Saisissez un jour.',
  order: 'La fin doit être après le début.',
  keyEnd: 'Votre propre clé expire avant ce jour. Sans jour, la nouvelle expire avec elle.',
  region: 'Vérifiez l’État ou la province : certains pays en demandent, d’autres n’en ont pas.',
  scheme: 'Le guichet unique demande un État membre de l’Union européenne.',
  businesses: 'La taxation des entreprises y est connue. Laissez comme dans la table.',
  taxId: 'Ce numéro fiscal n’est pas valide dans ce pays.',
  rate: 'Saisissez un taux en pour cent, et aucun là où rien n’est taxé.',
  image: 'Cette image ne peut pas être utilisée. Choisissez un PNG, JPEG ou WebP de 3 Mo au plus.',
  exists: 'Il en existe déjà un semblable, ou quelque chose l’a modifié avant. Regardez de nouveau la page.',
  many: 'Le nombre permis est atteint. Retirez-en d’abord un.',
  gone: 'Cela ne peut plus être modifié.',
  other: 'Cette saisie n’est pas valide. Vérifiez-la et réessayez.',
};
