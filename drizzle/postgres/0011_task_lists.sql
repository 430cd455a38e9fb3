DROP INDEX "tasks_status_submitted";--> statement-breakpoint
CREATE INDEX "tasks_action_submitted" ON "tasks" USING btree ("action","platform","submit_ms","id","status");--> statement-breakpoint
CREATE INDEX "tasks_unfinished" ON "tasks" USING btree ("platform","submit_ms","id","status","action","user_id","channel_id") WHERE "tasks"."status" not in ('SUCCESS', 'FAILURE');--> statement-breakpoint
CREATE INDEX "tasks_failed" ON "tasks" USING btree ("platform","submit_ms","id","action","channel_id") WHERE "tasks"."status" = 'FAILURE';--> statement-breakpoint
CREATE INDEX "tasks_user_failed" ON "tasks" USING btree ("user_id","platform","submit_ms","id","deleted_ms","action") WHERE "tasks"."status" = 'FAILURE';