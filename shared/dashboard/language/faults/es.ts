import type { FaultsKey } from './en.ts';

export const faultsEs: Readonly<Record<FaultsKey, string>> = {
  required: 'Rellene este campo.',
  tooLong: 'Introduzca {most} caracteres como máximo.',
  length: 'Introduzca de {least} a {most} caracteres.',
  characters: 'Este campo contiene caracteres no permitidos.',
  cardNumber: 'No introduzca números de tarjeta.',
  email: 'Introduzca una dirección de correo, como nombre@example.com.',
  address: 'Introduzca una dirección https.',
  day: 'Introduzca un día.',
  order: 'El final debe ser posterior al comienzo.',
  keyEnd: 'Su propia clave termina antes de ese día. Sin día, la nueva termina con ella.',
  region: 'Revise el estado o la provincia: algunos países lo piden, otros no lo tienen.',
  scheme: 'La ventanilla única necesita un Estado miembro de la Unión Europea.',
  businesses: 'Se sabe cómo tributan allí las empresas. Déjelo como en la tabla.',
  taxId: 'Este NIF no es válido en este país.',
  rate: 'Introduzca un tipo en porcentaje, y ninguno donde no se cobra impuesto.',
  image: 'Esta imagen no se puede usar. Elija un PNG, JPEG o WebP de 3 MB como máximo.',
  exists: 'Ya existe uno igual, o algo lo cambió antes. Vuelva a mirar la página.',
  many: 'Ya hay tantos como se permiten. Quite uno primero.',
  gone: 'Esto ya no se puede cambiar.',
  other: 'Este dato no es válido. Revíselo e inténtelo de nuevo.',
};
