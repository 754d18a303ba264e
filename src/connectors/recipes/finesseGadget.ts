import type { Place, RecipeFile } from './recipe.ts';

/** The gadget's frame: the customer, and a number to dial. */
export function gadgetXml(): RecipeFile {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Module>
  <ModulePrefs title="Readyline" description="Shows the customer, tells Readyline of calls and states, and dials">
    <Require feature="settitle"/>
    <Require feature="dynamic-height"/>
    <Require feature="pubsub-2"/>
    <Require feature="setprefs"/>
  </ModulePrefs>
  <Content type="html"><![CDATA[
    <!DOCTYPE html>
    <script type="text/javascript" src="/desktop/assets/js/jquery.min.js"></script>
    <script type="text/javascript" src="/desktop/assets/js/finesse.js"></script>
    <script type="text/javascript" src="Readyline.js"></script>
    <form id="readylineDial">
      <label>Number <input id="readylineNumber" type="tel" autocomplete="off"/></label>
      <button type="submit">Dial</button>
      <span id="readylineSaid" role="alert"></span>
    </form>
    <iframe id="readylineCustomer" title="Customer" width="100%" height="420"></iframe>
    <script type="text/javascript">
      gadgets.HubSettings.onConnect = function () { readyline.begin(); };
    </script>
  ]]></Content>
</Module>
`;
  return { name: 'Readyline.xml', contentType: 'application/xml', text };
}

/**
 * Tells of dialogs and states as Finesse's own script tells them, through the Finesse server,
 * which has to reach the gateway. The agent's own part counts: a dialog as a whole is active while it is held.
 */
export function gadgetScript({ events, pop }: Place): RecipeFile {
  const text = `// Tells Readyline of the agent's calls and states, shows the customer and dials.
// The address is the gadget's only credential: agents can read it.
var readyline = (function () {
  'use strict';
  var address = ${JSON.stringify(events)};
  var customerPage = ${JSON.stringify(pop)};
  var told = {};
  var user;

  function post(fields) {
    var options = {};
    var names = gadgets.io.RequestParameters;
    options[names.METHOD] = gadgets.io.MethodType.POST;
    options[names.CONTENT_TYPE] = gadgets.io.ContentType.JSON;
    options[names.HEADERS] = { 'Content-Type': 'application/json' };
    options[names.POST_DATA] = JSON.stringify(fields);
    gadgets.io.makeRequest(address, function () {}, options);
  }

  function isOutbound(dialog) {
    return /^OUT/.test(dialog.getMediaProperties().callType || '');
  }

  function customerOf(dialog) {
    return isOutbound(dialog) ? dialog.getToAddress() : dialog.getFromAddress();
  }

  /** The agent's own part of a call. */
  function ownPart(dialog) {
    var parts = dialog.getParticipants();
    for (var index = 0; index < parts.length; index += 1) {
      if (parts[index].mediaAddress === user.getExtension()) return parts[index];
    }
    return null;
  }

  function tellCall(event, dialog, part) {
    var fields = {
      event: event, call_id: dialog.getId(), agent_id: user.getId(),
      direction: isOutbound(dialog) ? 'outbound' : 'inbound',
      customer_number: customerOf(dialog), at: (part && part.stateChangeTime) || new Date().toISOString()
    };
    if (part && part.state === 'FAILED') fields.cause = part.stateCause === 'BUSY' ? 'busy' : 'failed';
    post(fields);
  }

  function show(dialog) {
    var frame = document.getElementById('readylineCustomer');
    var about = '&phone=' + encodeURIComponent(customerOf(dialog)) + '&call=' + encodeURIComponent(dialog.getId());
    frame.src = customerPage + about;
    gadgets.window.adjustHeight();
  }

  function onChange(dialog) {
    var id = dialog.getId();
    var part = ownPart(dialog);
    if (!part) return;
    var events = {
      INITIATING: 'ringing', INITIATED: 'ringing', ALERTING: 'ringing',
      ACTIVE: told[id] === 'held' ? 'resumed' : 'answered', HELD: 'held',
      DROPPED: 'ended', FAILED: 'ended', WRAP_UP: 'ended'
    };
    var event = events[part.state];
    if (!event || told[id] === event || told[id] === 'ended') return;
    if (event === 'answered' && told[id] === 'resumed') return;
    if (!told[id]) show(dialog);
    told[id] = event;
    tellCall(event, dialog, part);
  }

  function onAdd(dialog) {
    dialog.addHandler('change', onChange);
    onChange(dialog);
  }

  function onDelete(dialog) {
    if (told[dialog.getId()] !== 'ended') tellCall('ended', dialog, null);
    delete told[dialog.getId()];
  }

  function onUser(changed) {
    post({ event: 'agent_state', agent_id: changed.getId(), state: changed.getState(), at: new Date().toISOString() });
  }

  function say(text) {
    document.getElementById('readylineSaid').textContent = text;
  }

  /** In the form that the dialplan takes: Finesse changes nothing of it. */
  function dial(number) {
    say('');
    user.makeCall(number, {
      error: function (refused) { say('The call was refused (' + ((refused && refused.status) || '?') + ').'); }
    });
  }

  return {
    dial: dial,
    begin: function () {
      finesse.clientservices.ClientServices.init(finesse.gadget.Config, false);
      user = new finesse.restservices.User({
        id: finesse.gadget.Config.id,
        onLoad: function (loaded) {
          onUser(loaded);
          user.getDialogs({ onCollectionAdd: onAdd, onCollectionDelete: onDelete });
        },
        onChange: onUser
      });
      document.getElementById('readylineDial').addEventListener('submit', function (event) {
        event.preventDefault();
        var number = document.getElementById('readylineNumber').value.trim();
        if (number) dial(number);
      });
      gadgets.window.adjustHeight();
    }
  };
}());
`;
  return { name: 'Readyline.js', contentType: 'text/javascript', text };
}
