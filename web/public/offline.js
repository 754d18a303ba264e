// The page that stands in for the softphone while it cannot be loaded: says why, tries again, and gives way.

const texts = {
  en: {
    what: 'The softphone cannot be loaded',
    offline: 'This computer has no network connection.',
    away: 'The gateway cannot be reached. Your network works as far as this computer can tell.',
    error: 'The gateway answers with error {status}. Whoever runs it has to look at it.',
    since: 'Since {time}. The page tries again by itself and comes back as soon as it can.',
    again: 'Try now',
  },
  de: {
    what: 'Das Softphone lässt sich nicht laden',
    offline: 'Dieser Computer ist nicht mit dem Netz verbunden.',
    away: 'Das Gateway ist nicht zu erreichen. Ihr Netz funktioniert, soweit dieser Computer weiß.',
    error: 'Das Gateway antwortet mit dem Fehler {status}. Wer es betreibt, muss nachsehen.',
    since: 'Seit {time}. Die Seite versucht es selbst wieder und ist zurück, sobald es geht.',
    again: 'Jetzt versuchen',
  },
  es: {
    what: 'No se puede cargar el softphone',
    offline: 'Este equipo no tiene conexión de red.',
    away: 'No se puede alcanzar la pasarela. Su red funciona, hasta donde este equipo sabe.',
    error: 'La pasarela responde con el error {status}. Quien la opera tiene que revisarla.',
    since: 'Desde las {time}. La página lo intenta de nuevo por sí sola y vuelve en cuanto puede.',
    again: 'Intentar ahora',
  },
  fr: {
    what: 'Le softphone ne peut pas être chargé',
    offline: 'Cet ordinateur n’a pas de connexion réseau.',
    away: 'La passerelle est injoignable. Votre réseau fonctionne, autant que cet ordinateur le sache.',
    error: 'La passerelle répond par l’erreur {status}. La personne qui l’exploite doit vérifier.',
    since: 'Depuis {time}. La page réessaie d’elle-même et revient dès que possible.',
    again: 'Essayer maintenant',
  },
};

/** Between two tries, doubled each time. Milliseconds. */
const tries = { first: 1_000, most: 30_000 };

const chosen = localStorage.getItem('readyline.language');
const language =
  [chosen, ...navigator.languages].map((one) => (one ?? '').slice(0, 2)).find((one) => Object.hasOwn(texts, one)) ??
  'en';
const words = texts[language];
const show = (id, text) => (document.getElementById(id).textContent = text);

document.documentElement.lang = language;
show('what', words.what);
show(
  'since',
  words.since.replace('{time}', new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date())),
);
show('again', words.again);

let waitMs = tries.first;
let timer;

/** Null: the softphone can be loaded. */
async function reason() {
  if (!navigator.onLine) return words.offline;
  try {
    const { status } = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    return status < 500 ? null : words.error.replace('{status}', status);
  } catch {
    return words.away;
  }
}

function look() {
  clearTimeout(timer);
  void reason().then((why) => {
    if (why === null) return location.reload();
    show('why', why);
    clearTimeout(timer);
    timer = setTimeout(look, waitMs);
    waitMs = Math.min(waitMs * 2, tries.most);
  });
}

document.getElementById('again').addEventListener('click', look);
addEventListener('online', look);
addEventListener('offline', look);
look();
