import type { Route } from './route.ts';
import { agentRoutes } from './routes/agents.ts';
import { authRoutes, meRoutes } from './routes/auth.ts';
import { callRoutes } from './routes/calls.ts';
import { clickToDialRoutes } from './routes/clickToDial.ts';
import { companiesRoutes, companyRoutes } from './routes/company.ts';
import { integrationRoutes } from './routes/integrations.ts';
import { contactRoutes } from './routes/contacts.ts';
import { crmSearchRoutes } from './routes/crmSearch.ts';
import { auditRoutes } from './routes/audit.ts';
import { duplicateRoutes } from './routes/duplicates.ts';
import { exportRoutes } from './routes/exports.ts';
import { importRoutes } from './routes/imports.ts';
import { crmRoutes } from './routes/crm.ts';
import { crmInboundRoutes } from './routes/crmInbound.ts';
import { crmLoginRoutes } from './routes/crmLogin.ts';
import { ctiRecipeRoutes } from './routes/ctiRecipes.ts';
import { ctiEventRoutes } from './routes/ctiEvents.ts';
import { popRoutes } from './routes/pop.ts';
import { platformRoutes } from './routes/platform.ts';
import { reportRoutes } from './routes/reports.ts';
import { screenPopRoutes } from './routes/screenPops.ts';
import { dealRoutes } from './routes/deals.ts';
import { taskRoutes } from './routes/tasks.ts';
import { teamRoutes } from './routes/teams.ts';
import { telephonyRoutes } from './routes/telephony.ts';
import { webhookDeliveryRoutes } from './routes/webhookDeliveries.ts';

/** Every route of the REST interface. The router tries them in this order, so the busiest come first. */
export const routes: readonly Route[] = [
  ...screenPopRoutes,
  ...clickToDialRoutes,
  ...callRoutes,
  ...meRoutes,
  ...contactRoutes,
  ...duplicateRoutes,
  ...auditRoutes,
  ...dealRoutes,
  ...taskRoutes,
  ...crmSearchRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...reportRoutes,
  ...integrationRoutes,
  ...crmRoutes,
  ...ctiEventRoutes,
  ...ctiRecipeRoutes,
  ...popRoutes,
  ...crmInboundRoutes,
  ...crmLoginRoutes,
  ...webhookDeliveryRoutes,
  ...agentRoutes,
  ...teamRoutes,
  ...telephonyRoutes,
  ...authRoutes,
  ...companyRoutes,
  ...companiesRoutes,
  ...platformRoutes,
];
