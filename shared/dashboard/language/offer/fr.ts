import type { OfferKey } from './en.ts';

export const offerFr: Readonly<Record<OfferKey, string>> = {
  quantity: 'Quantité que les acheteurs peuvent choisir',
  'quantity.least': 'Au moins',
  'quantity.most': 'Au plus',
  'quantity.hint': 'Pour le lien de ce produit. Vide : les acheteurs ne peuvent pas changer la quantité.',
  'quantity.fault': 'Saisissez des nombres entiers de 1 à 1 000, le plus petit d’abord.',
  purpose: 'Ce que l’argent permet (facultatif)',
  'purpose.hint': 'Une phrase de 200 caractères au plus, affichée sous le montant.',
  'purpose.fault': 'Saisissez au plus 200 caractères sur une ligne, sans numéro de carte.',
  net: 'Montrer ce qui vous reste après taxes',
  'net.hint':
    '« Sur 10,00 €, 8,40 € vous reviennent après taxes. » La page de paiement le calcule pour chaque acheteur.',
  delivery: 'Après le paiement',
  'delivery.hint':
    'Seul l’acheteur le voit, sur la page après le paiement. Les achats déjà faits gardent leurs indications.',
  'delivery.url': 'Adresse à ouvrir (facultatif)',
  'delivery.url.fault': 'Saisissez une adresse qui commence par https://.',
  'delivery.instructions': 'Comment l’obtenir (facultatif)',
  'delivery.instructions.fault': 'Saisissez au plus 1 000 caractères, sans numéro de carte.',
};
