import type { SignInKey } from './en.ts';

export const signInEs: Readonly<Record<SignInKey, string>> = {
  title: 'Iniciar sesión',
  oneClick: 'Entrar en este entorno de pruebas',
  'oneClick.hint': 'En su propio equipo basta un clic. Ningún sistema desplegado tiene este botón.',
  email: 'Correo electrónico',
  'email.hint': 'Para miembros. El enlace sirve una vez, durante 15 minutos, en este navegador.',
  'email.button': 'Enviarme un enlace',
  'email.or': 'Iniciar sesión con una clave de API',
  key: 'Clave de API',
  'key.sandbox': 'Una clave de este entorno de pruebas empieza por sk_test_.',
  'key.live': 'Una clave de este sistema empieza por sk_live_.',
  'key.rights':
    'Su clave decide qué puede hacer aquí. Las claves, los secretos y direcciones de los webhooks y las reglas fiscales necesitan una clave con acceso de administrador.',
  'key.none': '¿Aún no tiene clave? Quien opera este sistema crea la primera con {command}.',
  'key.former': 'Una clave de escritura de la versión 0.1 ya no puede gestionar claves, webhooks ni impuestos.',
  'key.missing': 'Introduzca una clave de API.',
  'key.refused': 'Esta clave es desconocida, está revocada o caducada, o pertenece a otro sistema.',
  'sent.title': 'Mire su correo',
  'sent.text':
    'Si esta dirección pertenece a un miembro, hay un enlace en camino. Sirve una vez, durante 15 minutos y solo en este navegador.',
  'sent.again':
    '¿No llega nada? Compruebe la dirección y la carpeta de correo no deseado, y pida otro. A una dirección se envían cinco enlaces por hora, y otros cinco a un navegador en el que su miembro ya ha entrado.',
  back: 'Volver',
  'confirm.title': 'Iniciar sesión',
  'confirm.text': 'Pulse el botón para entrar en el panel de control. Solo entonces se gasta el enlace.',
  'over.title': 'Este enlace ya no sirve',
  'over.text': 'Un enlace sirve una vez, durante 15 minutos. Si acaba de iniciar sesión con él, continúe.',
  'over.link': 'Continuar',
  'elsewhere.title': 'Otro navegador pidió este enlace',
  'elsewhere.text':
    'Ábralo en el navegador en el que lo pidió, o pida uno nuevo aquí. Si no pidió ninguno, no tiene que hacer nada.',
  'elsewhere.link': 'Pedir un enlace aquí',
  'throttled.title': 'Demasiados enlaces',
  'throttled.text':
    'Se han pedido demasiados enlaces desde aquí. Inténtelo dentro de una hora, o inicie sesión con una clave.',
  home: 'Ir al resumen',
  'refused.title': 'No permitido',
  'refused.text':
    'Su clave o su rol no lo permite, o el formulario pertenece a otra sesión. Las claves, los secretos y direcciones de los webhooks y las reglas fiscales necesitan una clave con acceso de administrador; {command} crea la primera.',
  'missing.title': 'Página no encontrada',
  'missing.text': 'Compruebe la dirección, o vaya al resumen.',
  'large.title': 'Demasiado grande',
  'large.text': 'Una imagen puede tener como máximo 3 MB. Vuelva atrás y elija una más pequeña.',
  'failed.title': 'No ha funcionado',
  'failed.text': 'No se ha cambiado nada. Vuelva atrás, compruebe el formulario e inténtelo de nuevo.',
  'defect.title': 'Algo ha salido mal',
  'defect.text': 'Inténtelo de nuevo, o comunique el número de petición {id}.',
  'ended.title': 'Ha salido de la sesión',
  'ended.text': 'Su sesión ha terminado, o su clave fue revocada. No se ha cambiado nada.',
};
