import type { Media } from '../../../src/demo/carrier/media.ts';
import { offerSdp } from './sipTelephone.ts';

const mark = /^a=ice-ufrag:\S+/m.exec(offerSdp)?.[0] ?? '';

/**
 * Audio in earnest, until the other side turns out to be a customer whose telephone knows SIP alone: then what an agent
 * says to them comes back to the agent.
 */
export function echoOfCustomers(real: Media): Media {
  let isCustomer = false;
  const meets = (sdp: string) => {
    if (!sdp.includes(mark)) return false;
    isCustomer = true;
    real.close();
    return true;
  };
  const media: Media = {
    answer: async (offer) => (meets(offer) ? offerSdp : real.answer(offer)),
    offer: () => real.offer(),
    accept: async (answer) => {
      if (!meets(answer)) await real.accept(answer);
    },
    leadTo: (other, isHigh) => real.leadTo(other, isHigh),
    send: (source, packet) => (isCustomer ? source.send(media, packet) : real.send(source, packet)),
    close: () => {
      if (!isCustomer) real.close();
    },
  };
  return media;
}
