ALTER TABLE `budgets` ADD `per_key` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `budgets` ADD `rule_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `budgets` ADD `key_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `budgets_rule` ON `budgets` (`rule_id`,`key_hash`) WHERE "budgets"."key_hash" <> '';--> statement-breakpoint
ALTER TABLE `tokens` ADD `concurrency_limit` integer DEFAULT 0 NOT NULL;