CREATE TABLE "background_events" (
	"response_id" text NOT NULL,
	"first" bigint NOT NULL,
	"last" bigint NOT NULL,
	"events" text NOT NULL,
	CONSTRAINT "background_events_response_id_first_pk" PRIMARY KEY("response_id","first")
);
--> statement-breakpoint
CREATE TABLE "background_responses" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"node" text NOT NULL,
	"status" text NOT NULL,
	"is_streamed" boolean NOT NULL,
	"bytes" bigint NOT NULL,
	"created_time" bigint NOT NULL,
	"expires_time" bigint NOT NULL,
	"response" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "background_events" ADD CONSTRAINT "background_events_response_id_background_responses_id_fk" FOREIGN KEY ("response_id") REFERENCES "public"."background_responses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "background_responses_user" ON "background_responses" USING btree ("user_id","bytes");--> statement-breakpoint
CREATE INDEX "background_responses_expiry" ON "background_responses" USING btree ("expires_time");