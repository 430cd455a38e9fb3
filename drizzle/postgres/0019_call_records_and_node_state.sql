CREATE TABLE "call_records" (
	"request_id" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"record" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "state" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "call_records_created" ON "call_records" USING btree ("created_at");