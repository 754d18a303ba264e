import { addressSteps, agentSteps, frameStep, lookupUrl, notBuilt, type Recipe, type RecipeFile } from './recipe.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `createWebConnector` of Five9's Configuration Web Services (v13), in the order of its schema. */
function webConnector(
  name: string,
  {
    description,
    trigger,
    url,
    post,
    constants,
    variables,
  }: {
    description: string;
    trigger: 'OnCallAccepted' | 'OnCallDisconnected';
    url: string;
    post: boolean;
    constants: [string, string][];
    variables: [string, string][];
  },
): RecipeFile {
  const pairs = (tag: string, list: [string, string][]) =>
    list.map(([key, value]) => `<${tag}><key>${escaped(key)}</key><value>${escaped(value)}</value></${tag}>`).join('');
  const connector = [
    '<addWorksheet>false</addWorksheet><agentApplication>EmbeddedBrowser</agentApplication>',
    `<clearTriggerDispositions>false</clearTriggerDispositions>${pairs('constants', constants)}`,
    `<ctiWebServices>CurrentBrowserWindow</ctiWebServices><description>${escaped(description)}</description>`,
    `<executeInBrowser>${String(!post)}</executeInBrowser><name>${escaped(name)}</name>`,
    `<postMethod>${String(post)}</postMethod><trigger>${trigger}</trigger><url>${escaped(url)}</url>`,
    pairs('variables', variables),
  ].join('');
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"',
    ' xmlns:ser="http://service.admin.ws.five9.com/"><soapenv:Body><ser:createWebConnector>',
    `<connector>${connector}</connector></ser:createWebConnector></soapenv:Body></soapenv:Envelope>\n`,
  ].join('');
  return { name: `${name.toLowerCase().replaceAll(' ', '-')}.xml`, contentType: 'application/xml', text };
}

/** What the answer's fields become in Five9. */
const lookedUp = ['found', 'name', 'vip_tier', 'external_id'] as const;

/** Reads a text of the flat answer, wherever in it that stands; ahead, so that the order does not matter. */
const ahead = (field: string) => String.raw`(?=(?:.*?"${field}"\s*:\s*"((?:[^"\\]|\\.)*)")?)`;

/** The modules of the script, by ids that are its own. */
const modules = {
  begin: '5E1B07B3F3D84A8E9D2F6C41A7B0E211',
  query: '8C2D4F6A1B3E4C5D9E7F0A1B2C3D4E22',
  back: 'A1F3C5E7092B4D6F8091A2B3C4D5E633',
  hungUp: 'B7D9E1F3052746C8A9BACBDCEDFE0F44',
  done: 'C3E5A7092B4D6F81A2B3C4D5E6F70855',
};

/**
 * An IVR script of Five9 (`.five9ivr`) that asks who is calling and goes back to the script that ran it.
 * The form is that of exported scripts: Five9 publishes no schema of it.
 */
function lookupScript(gateway: string): RecipeFile {
  const silent =
    '<interruptible>false</interruptible><canChangeInterruptableOption>true</canChangeInterruptableOption>' +
    '<ttsEnumed>false</ttsEnumed><exitModuleOnException>false</exitModuleOnException>';
  const text = (value: string) =>
    `<isVarSelected>false</isVarSelected><stringValue><value>${escaped(value)}</value><id>0</id></stringValue>`;
  const entry = (key: string, value: string) => `<entry><key>${key}</key><value>${value}</value></entry>`;
  const place = (name: string, x: number, id: string) =>
    `<moduleName>${name}</moduleName><locationX>${x}</locationX><locationY>60</locationY><moduleId>${id}</moduleId>`;
  const end = (after: string, name: string, x: number, id: string) =>
    [
      `<hangup><ascendants>${after}</ascendants>${place(name, x, id)}`,
      '<data><dispo><id>0</id><name>No Disposition</name></dispo><returnToCallingModule>true</returnToCallingModule>',
      '<errCode><isVarSelected>false</isVarSelected><integerValue><value>0</value></integerValue></errCode>',
      `<errDescription>${text('')}</errDescription><overwriteDisposition>false</overwriteDisposition></data></hangup>`,
    ].join('');
  const groups = lookedUp
    .map(
      (field, index) =>
        `<regexpParameters><groupIndex>${index}</groupIndex><variable>Readyline.${field}</variable></regexpParameters>`,
    )
    .join('');
  const caller = '<isVarSelected>true</isVarSelected><variableName>Call.ANI</variableName>';
  const textChannel =
    `<textChannelData><textPrompts>${silent}</textPrompts>` +
    '<isUsedVivrPrompts>true</isUsedVivrPrompts><isTextOnly>true</isTextOnly></textChannelData>';
  const regexp =
    `<regexp>${escaped(`^${lookedUp.map(ahead).join('')}`)}</regexp>${groups}` +
    `<regexpFlags>${dotMatchesAll}</regexpFlags>`;
  const { back, begin, done, hungUp, query } = modules;
  return {
    name: 'readyline-lookup.five9ivr',
    contentType: 'application/xml',
    text: `<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>
<ivrScript>
<domainId>0</domainId>
<properties/>
<modules>
<incomingCall><singleDescendant>${query}</singleDescendant>${place('Start', 60, begin)}<data/></incomingCall>
<query>
<ascendants>${begin}</ascendants>
<exceptionalDescendant>${back}</exceptionalDescendant>
<singleDescendant>${back}</singleDescendant>
${place('ReadylineLookup', 200, query)}
<data>
<prompt>${silent}</prompt><vivrPrompts>${silent}</vivrPrompts><vivrHeader>${silent}</vivrHeader>
${textChannel}
<url>${escaped(`${gateway}/api/integrations/cti/screen-pop`)}</url>
<method>GET</method>
<fetchTimeout>5</fetchTimeout>
<parameters>${entry('phone', caller)}${entry('format', text('flat'))}</parameters>
<returnValues>${entry('__BUFFER__', '__BUFFER__')}</returnValues>
<storeNumberOfArrayElementsInVariable>false</storeNumberOfArrayElementsInVariable>
<requestInfo><template><base64>${emptyGzip}</base64></template></requestInfo>
<headers>${entry('Accept', text('application/json'))}${entry('X-Service-Api-Key', text('YOUR-COMPANY-KEY'))}</headers>
<requestBodyType>LIST</requestBodyType>
<responseInfos><from>200</from><to>200</to><method>REG_EXP</method><regexp>${regexp}</regexp></responseInfos>
<saveStatusCode>false</saveStatusCode>
<saveReasonPhrase>false</saveReasonPhrase>
</data>
</query>
${end(query, 'Back', 340, back)}
</modules>
<modulesOnHangup>
<startOnHangup><singleDescendant>${done}</singleDescendant>${place('OnHangup', 60, hungUp)}</startOnHangup>
${end(hungUp, 'Done', 200, done)}
</modulesOnHangup>
<userVariables/>
${noPrompts}
<languages/><functions/>
${defaults}
<version>1100008</version>
</ivrScript>
`,
  };
}

const noPrompts = ['Prompts', 'VIVRPrompts', 'TextPrompts', 'MenuChoices', 'EwtAnnouncement']
  .map((what) => `<multiLanguages${what}/>`)
  .join('');
const defaults = [
  '<defaultLanguage>en-US</defaultLanguage><defaultMethod>GET</defaultMethod>',
  '<defaultFetchTimeout>5</defaultFetchTimeout><showLabelNames>true</showLabelNames>',
  '<defaultVivrTimeout>5</defaultVivrTimeout><unicodeEncoding>false</unicodeEncoding>',
  '<useShortcut>false</useShortcut><resetErrorCode>true</resetErrorCode>',
  '<showAllChannelPrompts>false</showAllChannelPrompts><extContactFieldsInput>true</extContactFieldsInput>',
  '<extContactFieldsOutput>true</extContactFieldsOutput><timeoutInMilliseconds>3600000</timeoutInMilliseconds>',
].join('');

/** Five9 keeps the body of a request so; this one has none. */
const emptyGzip = 'H4sIAAAAAAAAAAMAAAAAAAAAAAA=';
/** `DOTALL` of Java's regular expressions. */
const dotMatchesAll = 32;

const ofAny: [string, string][] = [
  ['call_id', '@Call.call_id@'],
  ['agent_id', '@Agent.user_name@'],
  ['queue', '@Call.skill_name@'],
];
/** Who is called is not in ANI; that it is in DNIS follows from Five9's own names, and was not seen. */
const called = '@Call.DNIS@';
const ofCall: [string, string][] = [...ofAny, ['customer_number', '@Call.ANI@'], ['dialed_number', called]];
const ofDialed: [string, string][] = [...ofAny, ['customer_number', called]];

/** Five9. */
export const five9Recipe: Recipe = {
  id: 'five9',
  name: 'Five9',
  summary:
    'An IVR script to import that looks the caller up, and web connectors that open the customer and send calls. ' +
    'Built from the published service description (v13).',
  abilities: {
    lookup: {
      proof: 'proven_form',
      note:
        'By the Query module of an IVR script, with the company key as a header. ' +
        'The script file is modelled on exported ones.',
    },
    pop: {
      proof: 'proven_form',
      note:
        'A web connector opens the pop page when the agent takes the call; Five9 has no trigger for ringing. ' +
        'The variable @Call.call_id@ is unconfirmed.',
    },
    events: {
      proof: 'proven_form',
      note:
        'Answered and ended, as forms of web connectors. ' +
        'Unconfirmed: that Five9 posts them without a browser window, and all variables but @Call.ANI@. ' +
        'A transfer shows only as the end.',
    },
    states: { proof: 'proven_form', note: 'If a page of yours at the agent’s desktop posts them.' },
    set_states: notBuilt('Five9 publishes no request for it.'),
    dial: {
      proof: 'proven_stub',
      note:
        'A click joins the session of the agent, who must be signed in at Five9, ' +
        'and calls with the agent’s own log-in, which an admin enters. The form of the answer is not published; ' +
        'the call’s id comes with its events.',
    },
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Create the web connectors',
      text:
        'POST the files to https://api.five9.com/wsadmin/v13/AdminWebService with an administrator’s name and ' +
        'password (Basic). Add the connectors to the campaign profile.',
      value: null,
    },
    {
      title: 'Look up the caller',
      text:
        'Create the text variables Readyline.name, Readyline.vip_tier, ' +
        'Readyline.external_id and Readyline.found. ' +
        'Put the company key into readyline-lookup.five9ivr, import it as an IVR script, ' +
        'and run it from yours as a Foreign Script in the same call. ' +
        'Or add a Query module: GET this address with Call.ANI at its end, header X-Service-Api-Key.',
      value: lookupUrl(place, ''),
    },
    frameStep('https://app.five9.com'),
    {
      title: 'Dial',
      text:
        'Add the two connectors “Readyline dialed” to the profile of the outbound campaign. ' +
        'In the console enter the region and that campaign’s id, then the user name and password of each agent. ' +
        'Choose who dials.',
      value: null,
    },
    ...agentSteps,
  ],
  files: ({ events, gateway, pop }) => [
    lookupScript(gateway),
    webConnector('Readyline customer', {
      description: 'The customer on the pop page',
      trigger: 'OnCallAccepted',
      url: pop.split('?')[0] ?? pop,
      post: false,
      constants: [['company', new URL(pop).searchParams.get('company') ?? '']],
      variables: [
        ['phone', '@Call.ANI@'],
        ['call', '@Call.call_id@'],
      ],
    }),
    webConnector('Readyline answered', {
      description: 'Tells Readyline that a call was answered',
      trigger: 'OnCallAccepted',
      url: events,
      post: true,
      constants: [
        ['event', 'answered'],
        ['direction', 'inbound'],
      ],
      variables: ofCall,
    }),
    webConnector('Readyline ended', {
      description: 'Tells Readyline that a call ended',
      trigger: 'OnCallDisconnected',
      url: events,
      post: true,
      constants: [
        ['event', 'ended'],
        ['direction', 'inbound'],
      ],
      variables: ofCall,
    }),
    webConnector('Readyline dialed answered', {
      description: 'Tells Readyline that a customer who was called answered',
      trigger: 'OnCallAccepted',
      url: events,
      post: true,
      constants: [
        ['event', 'answered'],
        ['direction', 'outbound'],
      ],
      variables: ofDialed,
    }),
    webConnector('Readyline dialed ended', {
      description: 'Tells Readyline that a call to a customer ended',
      trigger: 'OnCallDisconnected',
      url: events,
      post: true,
      constants: [
        ['event', 'ended'],
        ['direction', 'outbound'],
      ],
      variables: ofDialed,
    }),
  ],
};
