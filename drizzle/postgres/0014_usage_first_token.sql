CREATE TABLE "usage_first_token" (
	"span" bigint NOT NULL,
	"start" bigint NOT NULL,
	"model" text NOT NULL,
	"below_100" bigint DEFAULT 0 NOT NULL,
	"below_150" bigint DEFAULT 0 NOT NULL,
	"below_200" bigint DEFAULT 0 NOT NULL,
	"below_300" bigint DEFAULT 0 NOT NULL,
	"below_400" bigint DEFAULT 0 NOT NULL,
	"below_500" bigint DEFAULT 0 NOT NULL,
	"below_700" bigint DEFAULT 0 NOT NULL,
	"below_1000" bigint DEFAULT 0 NOT NULL,
	"below_1400" bigint DEFAULT 0 NOT NULL,
	"below_2000" bigint DEFAULT 0 NOT NULL,
	"below_3000" bigint DEFAULT 0 NOT NULL,
	"below_4000" bigint DEFAULT 0 NOT NULL,
	"below_6000" bigint DEFAULT 0 NOT NULL,
	"below_8000" bigint DEFAULT 0 NOT NULL,
	"below_12000" bigint DEFAULT 0 NOT NULL,
	"below_20000" bigint DEFAULT 0 NOT NULL,
	"below_40000" bigint DEFAULT 0 NOT NULL,
	"above" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_first_token_span_start_model_pk" PRIMARY KEY("span","start","model")
);
--> statement-breakpoint
CREATE TABLE "usage_daily_user" (
	"user_id" bigint NOT NULL,
	"day" bigint NOT NULL,
	"token_id" bigint NOT NULL,
	"channel_id" bigint NOT NULL,
	"model" text NOT NULL,
	"group" text NOT NULL,
	"calls" bigint NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"quota" bigint NOT NULL,
	"cache_read_tokens" bigint NOT NULL,
	"failed" bigint NOT NULL,
	CONSTRAINT "usage_daily_user_user_id_day_token_id_channel_id_model_group_pk" PRIMARY KEY("user_id","day","token_id","channel_id","model","group")
);
--> statement-breakpoint
CREATE INDEX "usage_daily_user_day" ON "usage_daily_user" USING btree ("day");--> statement-breakpoint
CREATE INDEX "usage_daily_user_token" ON "usage_daily_user" USING btree ("token_id","day");--> statement-breakpoint
CREATE INDEX "logs_status" ON "logs" USING btree (cast(substring(other from '"status_code":([0-9]{1,15})') as bigint),"created_at") WHERE "logs"."type" = 6;--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("status","paid_time");--> statement-breakpoint
UPDATE "usage_rolled" SET "is_stale" = true;