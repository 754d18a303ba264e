import { standardReasons } from '../../contract/vocabulary.ts';
import type { CodeLabel, CompanySettings } from '../../domain/company.ts';

/** The Not Ready reasons that an agent may choose from: those of every company, then the company's own. */
export function notReadyReasons(settings: CompanySettings): CodeLabel[] {
  return [
    ...standardReasons.map((code) => ({ code, label: code.charAt(0).toUpperCase() + code.slice(1) })),
    ...settings.notReadyReasons,
  ];
}
