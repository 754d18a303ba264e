/** From here on the area and the softphone both have room. As in softphone/BesideCrm.module.css. */
export const besideFrom = window.matchMedia('(min-width: 64em)');
