/** The page of a CRM that is played: its people, what can be done with them, and the calls that were logged there. */
export function crmPage(name: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}, played</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
  h1 { font-size: 1.4rem; margin: 0; }
  h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
  p { margin: .25rem 0 0; }
  ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
  li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; padding: .6rem .75rem; }
  li { overflow-wrap: anywhere; }
  li.open { outline: 2px solid #1c7ed6; }
  #people li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
  .of { opacity: .8; }
  .do { display: flex; flex-wrap: wrap; gap: .5rem; }
  button { font: inherit; padding: .25rem .75rem; cursor: pointer; }
  pre { margin: .35rem 0 0; white-space: pre-wrap; font: 13px/1.4 ui-monospace, monospace; }
  pre { max-height: 14rem; overflow: auto; }
</style>
</head>
<body>
<main>
<h1>${name}</h1>
<p class="of">Played on this machine: no such account exists. The people are invented.</p>
<p role="status" id="said">&nbsp;</p>
<h2 id="of-people">People</h2>
<ul id="people" aria-labelledby="of-people"></ul>
<h2 id="of-calls">Calls logged here</h2>
<ul id="calls" aria-labelledby="of-calls"><li>None yet: talk, hang up and wrap up.</li></ul>
</main>
<script>
const said = document.getElementById('said');
const element = (name, text, className) =>
  Object.assign(document.createElement(name), { textContent: text, className: className ?? '' });

async function act(what, id) {
  said.textContent = what === 'ring' ? 'It rings at the softphone …' : 'Asking the softphone to dial …';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch('/readyline-demo/' + what, { method: 'POST', headers, body: JSON.stringify({ id }) });
  said.textContent = (await answer.json()).text;
}

function button(text, what, id) {
  const made = element('button', text);
  made.type = 'button';
  made.onclick = () => act(what, id).catch((error) => { said.textContent = String(error); });
  return made;
}

// A link to a record names it by its id.
function isOpen(id, all) {
  const address = decodeURIComponent(decodeURIComponent(location.pathname + location.search + location.hash));
  const at = (one) => address.lastIndexOf(one);
  return location.pathname !== '/' && at(id) >= 0 && all.every((other) => at(other.id) <= at(id));
}

function showPeople(people) {
  const list = document.getElementById('people');
  if (list.childElementCount > 0) return;
  for (const person of people) {
    const row = element('li', '', isOpen(person.id, people) ? 'open' : '');
    const text = element('div', '');
    text.append(element('strong', person.name), element('div', person.typed + ' · ' + person.email, 'of'));
    if (row.className === 'open') text.append(element('div', 'This is the record that you opened.', 'of'));
    const buttons = element('div', '', 'do');
    buttons.append(button('Call as ' + person.name, 'ring', person.id));
    buttons.append(button('Dial ' + person.name, 'dial', person.id));
    row.append(text, buttons);
    list.append(row);
  }
}

let shown = '';
function showCalls(logged) {
  const text = JSON.stringify(logged);
  if (logged.length === 0 || text === shown) return;
  shown = text;
  document.getElementById('calls').replaceChildren(...logged.map((call) => {
    const row = element('li', '');
    row.append(element('strong', call.person ?? 'Nobody'), element('div', call.id, 'of'), element('pre', call.text));
    return row;
  }));
}

async function read() {
  try {
    const { people, logged } = await (await fetch('/readyline-demo/state')).json();
    showPeople(people);
    showCalls(logged);
  } catch {
    said.textContent = 'The demo has ended.';
  }
  setTimeout(read, 1000);
}
read();
</script>
</body>
</html>
`;
}
