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
import { messageRoutes } from './routes/messages.ts';
import { popRoutes } from './routes/pop.ts';
import { popLayoutRoutes } from './routes/popLayout.ts';
import { platformRoutes } from './routes/platform.ts';
import { reportRoutes } from './routes/reports.ts';
import { reportViewRoutes } from './routes/reportViews.ts';
import { screenPopRoutes } from './routes/screenPops.ts';
import { dialingRoutes } from './routes/dialing.ts';
import { doNotDialRoutes } from './routes/doNotDial.ts';
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
  ...dialingRoutes,
  ...contactRoutes,
  ...duplicateRoutes,
  ...auditRoutes,
  ...dealRoutes,
  ...taskRoutes,
  ...crmSearchRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...reportRoutes,
  ...reportViewRoutes,
  ...integrationRoutes,
  ...crmRoutes,
  ...ctiEventRoutes,
  ...ctiRecipeRoutes,
  ...popRoutes,
  ...popLayoutRoutes,
  ...crmInboundRoutes,
  ...crmLoginRoutes,
  ...webhookDeliveryRoutes,
  ...agentRoutes,
  ...teamRoutes,
  ...doNotDialRoutes,
  ...messageRoutes,
  ...telephonyRoutes,
  ...authRoutes,
  ...companyRoutes,
  ...companiesRoutes,
  ...platformRoutes,
];
