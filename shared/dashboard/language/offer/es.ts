import type { OfferKey } from './en.ts';

export const offerEs: Readonly<Record<OfferKey, string>> = {
  quantity: 'Cantidad que los compradores pueden elegir',
  'quantity.least': 'Como mínimo',
  'quantity.most': 'Como máximo',
  'quantity.hint': 'Para el enlace de este producto. Vacío: los compradores no pueden cambiar la cantidad.',
  'quantity.fault': 'Introduzca números enteros de 1 a 1000, primero el menor.',
  purpose: 'Qué hace el dinero (opcional)',
  'purpose.hint': 'Una frase de 200 caracteres como máximo, que aparece bajo el importe.',
  'purpose.fault': 'Introduzca como máximo 200 caracteres en una línea, sin números de tarjeta.',
  net: 'Mostrar lo que le queda después de impuestos',
  'net.hint': '«De 10,00 €, le quedan 8,40 € después de impuestos». La página de pago lo calcula para cada comprador.',
  delivery: 'Después del pago',
  'delivery.hint': 'Solo lo ve el comprador, en la página posterior al pago. Lo ya comprado conserva sus indicaciones.',
  'delivery.url': 'Dirección para abrir (opcional)',
  'delivery.url.fault': 'Introduzca una dirección que empiece por https://.',
  'delivery.instructions': 'Cómo obtenerlo (opcional)',
  'delivery.instructions.fault': 'Introduzca como máximo 1000 caracteres, sin números de tarjeta.',
};
